// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <tlm>
#include <vector>

#include "rtl_tlm/sockets/initiator_side.h"

namespace flitmend {

class NetworkSockets;

/// A way into a node for its initiators: hands their calls to the node's InitiatorSide.
class WayIn {
 public:
  WayIn(NetworkSockets& sockets, InitiatorSide& side) : sockets_(sockets), side_(side) {}
  WayIn(const WayIn&) = delete;
  WayIn& operator=(const WayIn&) = delete;
  virtual ~WayIn() = default;

  /// Connects the initiators that have bound to it. At the end of elaboration, once. SC_REPORT_ERROR if it
  /// cannot tell them apart, or does not reach one of them.
  virtual void connect() = 0;

 protected:
  /// The number that the next initiator gets.
  unsigned next_number() const { return side_.initiators(); }
  void connect(tlm::tlm_bw_transport_if<>& initiator) { side_.connect(initiator); }

  // `initiator`: its number at the node.
  tlm::tlm_sync_enum call_nb_transport(unsigned initiator, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    return side_.nb_transport_fw(initiator, p, phase, delay);
  }
  void call_b_transport(unsigned initiator, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    side_.b_transport(initiator, p, delay);
  }
  unsigned call_transport_dbg(tlm::tlm_generic_payload&);
  bool call_get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&);
  /// Reports that what is bound to `socket` cannot work: what it is, and what to bind instead.
  [[noreturn]] static void refuse(const std::string& socket, const std::string& why);

  NetworkSockets& sockets_;

 private:
  InitiatorSide& side_;
};

/// One binding at a node's socket for initiators. All its calls come through one interface, so there can be
/// only one initiator behind it.
class InitiatorEntry final : public WayIn, public tlm::tlm_fw_transport_if<> {
 public:
  using BackwardPort = sc_core::sc_port<tlm::tlm_bw_transport_if<>, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;
  using ForwardExport = sc_core::sc_export<tlm::tlm_fw_transport_if<>>;

  /// `socket`: full name of the socket; `name`: of the entry, unique among the module's children.
  InitiatorEntry(NetworkSockets& sockets, InitiatorSide& side, std::string socket, std::string name)
      : WayIn(sockets, side), socket_(std::move(socket)), name_(std::move(name)) {}

  /// Leads back to the initiator.
  BackwardPort& back();
  /// What a socket of a module around the network binds its own export to.
  ForwardExport& forward();

  void connect() override;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return call_nb_transport(number_, p, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
    call_b_transport(number_, p, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return call_transport_dbg(p); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
    return call_get_direct_mem_ptr(p, dmi);
  }
  /// SystemC tells which ports call it.
  void register_port(sc_core::sc_port_base& caller, const char*) override {
    callers_.emplace_back(caller.name());
  }

 private:
  std::string socket_;
  std::string name_;
  std::optional<BackwardPort> back_;
  std::optional<ForwardExport> forward_;
  std::vector<std::string> callers_;
  unsigned number_ = 0;
};

}  // namespace flitmend
