// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "rtl_tlm/tlm/initiator_side.h"
#include "rtl_tlm/tlm/target_side.h"

namespace flitmend {

class NetworkSockets;

/// Where initiators of a node bind: hands their calls to the node's InitiatorSide.
class InitiatorBinding {
 public:
  InitiatorBinding(NetworkSockets& sockets, InitiatorSide& side, unsigned bus_width)
      : sockets_(sockets), side_(side), bus_width_(bus_width) {}
  InitiatorBinding(const InitiatorBinding&) = delete;
  InitiatorBinding& operator=(const InitiatorBinding&) = delete;
  virtual ~InitiatorBinding() = default;

  unsigned bus_width() const { return bus_width_; }
  /// Connects those that are bound. At the end of elaboration, once.
  virtual void connect() = 0;

 protected:
  /// The initiators connected from now on are those of this socket.
  void start_numbers() { first_ = side_.initiators(); }
  /// The next initiator of the node.
  void connect(tlm::tlm_bw_transport_if<>& initiator) { side_.connect(initiator); }
  // `binding`: number of the initiator at this socket.
  tlm::tlm_sync_enum nb_transport_fw(int binding, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    return side_.nb_transport_fw(first_ + static_cast<unsigned>(binding), p, phase, delay);
  }
  void b_transport(int binding, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    side_.b_transport(first_ + static_cast<unsigned>(binding), p, delay);
  }
  unsigned transport_dbg(int binding, tlm::tlm_generic_payload&);
  bool get_direct_mem_ptr(int binding, tlm::tlm_generic_payload&, tlm::tlm_dmi&);

 private:
  NetworkSockets& sockets_;
  InitiatorSide& side_;
  unsigned first_ = 0;  ///< number of its first initiator among those of the node
  unsigned bus_width_;
};

/// Where a target of a node binds: hands its calls to the node's TargetSide.
class TargetBinding {
 public:
  TargetBinding(NetworkSockets& sockets, TargetSide& side, unsigned target, unsigned bus_width)
      : sockets_(sockets), side_(side), target_(target), bus_width_(bus_width) {}
  TargetBinding(const TargetBinding&) = delete;
  TargetBinding& operator=(const TargetBinding&) = delete;
  virtual ~TargetBinding() = default;

  /// Its number among the targets of the node.
  unsigned target() const { return target_; }
  unsigned bus_width() const { return bus_width_; }
  /// Connects the target, if one is bound. At the end of elaboration, once.
  virtual void connect() = 0;

 protected:
  void connect(tlm::tlm_fw_transport_if<>& element) { side_.connect(target_, element); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    return side_.nb_transport_bw(target_, p, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  NetworkSockets& sockets_;
  TargetSide& side_;
  unsigned target_;
  unsigned bus_width_;
};

/// A socket for any number of initiators; each that binds to it is an initiator of its own.
template <unsigned BUSWIDTH>
class SocketForInitiators final : public InitiatorBinding {
 public:
  using Socket = tlm_utils::multi_passthrough_target_socket_optional<SocketForInitiators, BUSWIDTH>;
  Socket socket;

  SocketForInitiators(NetworkSockets& sockets, InitiatorSide& side, const char* name)
      : InitiatorBinding(sockets, side, BUSWIDTH), socket(name) {
    socket.register_nb_transport_fw(this, &SocketForInitiators::nb_transport_fw);
    socket.register_b_transport(this, &SocketForInitiators::b_transport);
    socket.register_transport_dbg(this, &SocketForInitiators::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &SocketForInitiators::get_direct_mem_ptr);
  }
  void connect() override {
    start_numbers();
    auto& initiators = socket.get_base_port();
    for (int i = 0; i < initiators.size(); ++i) InitiatorBinding::connect(*initiators[i]);
  }
};

/// A socket for one target. It need not be bound.
template <unsigned BUSWIDTH>
class SocketForTarget final : public TargetBinding {
 public:
  using Socket = tlm_utils::simple_initiator_socket_optional<SocketForTarget, BUSWIDTH>;
  Socket socket;

  SocketForTarget(NetworkSockets& sockets, TargetSide& side, unsigned target, const char* name)
      : TargetBinding(sockets, side, target, BUSWIDTH), socket(name) {
    socket.register_nb_transport_bw(this, &SocketForTarget::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &SocketForTarget::invalidate_direct_mem_ptr);
  }
  void connect() override {
    if (socket.size() > 0) TargetBinding::connect(*socket.operator->());
  }
};

}  // namespace flitmend
