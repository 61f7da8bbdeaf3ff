// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/multi_passthrough_initiator_socket.h>

#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "rtl_tlm/signals/hierarchy_scope.h"
#include "rtl_tlm/sockets/target_side.h"

namespace flitmend {

class NetworkSockets;

/// Where a target of a node binds: hands its calls to the node's TargetSide.
class TargetBinding {
 public:
  TargetBinding(NetworkSockets& sockets, TargetSide& side, unsigned target, unsigned bus_width)
      : calls_{sockets, side, target}, bus_width_(bus_width) {}
  TargetBinding(const TargetBinding&) = delete;
  TargetBinding& operator=(const TargetBinding&) = delete;
  virtual ~TargetBinding() = default;

  /// Its number among the targets of the node.
  unsigned target() const { return calls_.target; }
  unsigned bus_width() const { return bus_width_; }
  /// Connects the target, if one is bound. At the end of elaboration, once. SC_REPORT_ERROR if several are.
  virtual void connect() = 0;

 protected:
  /// What a target calls.
  struct Calls final : tlm::tlm_bw_transport_if<> {
    Calls(NetworkSockets& s, TargetSide& t, unsigned n) : sockets(s), side(t), target(n) {}
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      return side.nb_transport_bw(target, p, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    NetworkSockets& sockets;
    TargetSide& side;
    unsigned target;
  };
  Calls& calls() { return calls_; }
  /// One of `bound` targets; SC_REPORT_ERROR if there are several.
  void connect(const sc_core::sc_object& socket, int bound, tlm::tlm_fw_transport_if<>*);
  sc_core::sc_module& module();

 private:
  Calls calls_;
  unsigned bus_width_;
};

/// The way out to a multi_passthrough_initiator_socket of a module around the network.
class WayOut {
 public:
  virtual ~WayOut() = default;
  virtual int bound() = 0;
  virtual tlm::tlm_fw_transport_if<>* first() = 0;
};

template <unsigned BUSWIDTH, unsigned N, sc_core::sc_port_policy POLICY>
class MultiSocketExit final : public WayOut {
 public:
  tlm_utils::multi_passthrough_initiator_socket<MultiSocketExit, BUSWIDTH, tlm::tlm_base_protocol_types, N,
                                                POLICY>
      socket;

  MultiSocketExit(tlm::tlm_bw_transport_if<>& calls, const std::string& name)
      : socket(name.c_str()), calls_(calls) {
    socket.register_nb_transport_bw(this, &MultiSocketExit::nb_transport_bw);
    socket.register_invalidate_direct_mem_ptr(this, &MultiSocketExit::invalidate_direct_mem_ptr);
  }
  int bound() override { return static_cast<int>(socket.size()); }
  tlm::tlm_fw_transport_if<>* first() override { return socket[0]; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(int, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    return calls_.nb_transport_bw(p, phase, delay);
  }
  void invalidate_direct_mem_ptr(int, sc_dt::uint64 first, sc_dt::uint64 last) {
    calls_.invalidate_direct_mem_ptr(first, last);
  }
  tlm::tlm_bw_transport_if<>& calls_;
};

/// A socket for one target, which may bind through an initiator socket of any kind of a module around the
/// network. It need not be bound.
template <unsigned BUSWIDTH>
class SocketForTarget final : public TargetBinding,
                              public tlm::tlm_initiator_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 0,
                                                               sc_core::SC_ZERO_OR_MORE_BOUND> {
  using Base =
      tlm::tlm_initiator_socket<BUSWIDTH, tlm::tlm_base_protocol_types, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;

 public:
  SocketForTarget(NetworkSockets& sockets, TargetSide& side, unsigned target, const char* name)
      : TargetBinding(sockets, side, target, BUSWIDTH), Base(name) {
    Base::bind(static_cast<tlm::tlm_bw_transport_if<>&>(calls()));
  }
  const char* kind() const override { return "flitmend_socket_for_target"; }

  using Base::bind;
  /// To a multi_passthrough_initiator_socket of a module around the network, of any limit and policy.
  template <unsigned N, sc_core::sc_port_policy POLICY>
  void bind(tlm_utils::multi_init_base<BUSWIDTH, tlm::tlm_base_protocol_types, N, POLICY>& outer) {
    const HierarchyScope scope(module());
    auto exit = std::make_unique<MultiSocketExit<BUSWIDTH, N, POLICY>>(
        calls(), this->basename() + ("_" + std::to_string(exits_.size())));
    exit->socket.bind(outer);
    exits_.push_back(std::move(exit));
  }
  using Base::operator();
  template <unsigned N, sc_core::sc_port_policy POLICY>
  void operator()(tlm_utils::multi_init_base<BUSWIDTH, tlm::tlm_base_protocol_types, N, POLICY>& outer) {
    bind(outer);
  }

  void connect() override {
    int bound = this->size();
    tlm::tlm_fw_transport_if<>* target = bound > 0 ? (*this)[0] : nullptr;
    for (const auto& exit : exits_) {
      if (!target && exit->bound() > 0) target = exit->first();
      bound += exit->bound();
    }
    TargetBinding::connect(*this, bound, target);
  }

 private:
  std::vector<std::unique_ptr<WayOut>> exits_;
};

}  // namespace flitmend
