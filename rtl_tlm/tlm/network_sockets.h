// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/tlm/initiator_side.h"
#include "rtl_tlm/tlm/target_side.h"

namespace flitmend {

class Fabric;

/// The TLM-2.0 side of a network interface, between a processing element and the network. docs/tlm.md says
/// what elements may rely on.
///
/// target_socket takes generic payloads. The node addressed is address / node_address_bytes; an access must
/// stay within one node's range. A write is a message of 2 + ceil(bytes / flit_bytes) flits, and its reply
/// has 2 flits; a read is the other way round. What is longer than a message can be is sent as several.
/// TLM_IGNORE_COMMAND without data is a message without data (MessageExtension). nb_transport, base protocol:
/// END_REQ when the source queue takes the message, BEGIN_RESP when the reply has arrived; payloads must be
/// memory-managed. b_transport returns at that time. Error responses of the network:
///
///   TLM_ADDRESS_ERROR_RESPONSE      outside the network
///   TLM_GENERIC_ERROR_RESPONSE      a message cannot be delivered, or is lost in a reset or a fault
///   TLM_BURST_ERROR_RESPONSE        no data pointer, a streaming width of 0, or a message without data that
///                                   is longer than the network can carry
///   TLM_BYTE_ENABLE_ERROR_RESPONSE  byte enables of length 0
///   TLM_COMMAND_ERROR_RESPONSE      an invalid command
///
/// initiator_socket passes arriving requests to the node's own target, with addresses relative to the node's
/// range. It need not be bound: then writes end here and reads fail.
class NetworkSockets : public sc_core::sc_module, private MessageSink {
 public:
  tlm_utils::passthrough_target_socket_optional<NetworkSockets> target_socket;
  tlm_utils::simple_initiator_socket_optional<NetworkSockets> initiator_socket;

  NetworkSockets(sc_core::sc_module_name, Fabric&, SocketContext&, NodeId);

  /// Bytes that, on delivery, differed from the data that the initiator still held.
  std::uint64_t corrupted_bytes() const { return corrupted_; }

  // For the two sides.
  NodeId node() const { return node_; }
  Fabric& fabric() { return fabric_; }
  NetworkInterface& network_interface() { return interface_; }
  InitiatorSide& initiator_side() { return initiator_side_; }
  TargetSide& target_side() { return target_side_; }
  const TargetSide& target_side() const { return target_side_; }
  /// Sends messages whose data flits carry t.bytes; without bytes, one message of `length` flits.
  void send_messages(NetworkTransaction&, NodeId destination, MessageKind, std::uint32_t length,
                     Cycle created);

 private:
  unsigned transport_dbg(tlm::tlm_generic_payload&);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&);
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& d) {
    return initiator_side_.nb_transport_fw(p, phase, d);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                     sc_core::sc_time& d) {
    return target_side_.nb_transport_bw(p, phase, d);
  }
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
    initiator_side_.b_transport(p, delay);
  }
  void end_of_elaboration() override;

  bool admits(Message&) override;
  void message_arrived(MessageIndex, Message&, Cycle) override;
  void message_failed(MessageIndex, Message&, Cycle) override;
  void message_left(Message&) override;
  /// A data flit was consumed: the message's bytes are reassembled here.
  void data_arrived(Message&, std::uint32_t first, std::uint32_t count) override;
  void source_queue_has_room() override { initiator_side_.offer_room(); }
  bool work(Cycle) override;

  void check_bytes(const NetworkTransaction&, MessageIndex, const Message&, Cycle);
  /// A message of the transaction has been lost, and none of the others is under way any longer.
  void give_up(NetworkTransaction&);

  Fabric& fabric_;
  SocketContext& context_;
  NetworkInterface& interface_;
  NodeId node_;
  InitiatorSide initiator_side_;
  TargetSide target_side_;
  std::uint64_t corrupted_ = 0;
};

}  // namespace flitmend
