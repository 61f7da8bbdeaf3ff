// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm>

namespace flitmend {

/// Connects an initiator socket of one BUSWIDTH with a target socket of another. Those of a network interface
/// have 32. A generic payload is the same at every width, so all calls pass through unchanged.
///
///   SocketWidth<64, 32> width("width");
///   cpu.socket.bind(width.target_socket);
///   width.initiator_socket.bind(noc.sockets(0).target_socket);
template <unsigned FROM, unsigned TO>
class SocketWidth : public sc_core::sc_module,
                    private tlm::tlm_fw_transport_if<>,
                    private tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<FROM> target_socket{"target_socket"};
  tlm::tlm_initiator_socket<TO> initiator_socket{"initiator_socket"};

  explicit SocketWidth(sc_core::sc_module_name name) : sc_module(name) {
    target_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    initiator_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return initiator_socket->nb_transport_fw(p, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return target_socket->nb_transport_bw(p, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) override {
    initiator_socket->b_transport(p, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) override { return initiator_socket->transport_dbg(p); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) override {
    return initiator_socket->get_direct_mem_ptr(p, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    target_socket->invalidate_direct_mem_ptr(first, last);
  }
};

}  // namespace flitmend
