// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include "rtl_tlm/node/network_interface.h"
#include "rtl_tlm/signals/hierarchy_scope.h"
#include "rtl_tlm/sockets/initiator_side.h"
#include "rtl_tlm/sockets/socket_for_initiators.h"
#include "rtl_tlm/sockets/socket_for_target.h"
#include "rtl_tlm/sockets/target_side.h"

namespace flitmend {

/// The TLM-2.0 side of a network interface, between processing elements and the network. docs/tlm.md says
/// what elements may rely on.
///
/// target_socket takes the generic payloads of any number of initiators. The node addressed is address /
/// node_address_bytes; an access must stay within one node's range. A write is a message of 2 + ceil(bytes /
/// flit_bytes) flits, and its reply has 2 flits; a read is the other way round. An access that exceeds the
/// longest message is split. TLM_IGNORE_COMMAND without data is a message without data (MessageExtension).
/// nb_transport, base protocol: END_REQ when the source queue takes the message, BEGIN_RESP when the reply
/// has arrived; payloads must be memory-managed. b_transport returns at that time. Error responses of the
/// network:
///
///   TLM_ADDRESS_ERROR_RESPONSE      outside the network
///   TLM_GENERIC_ERROR_RESPONSE      a message cannot be delivered, or is lost in a reset or a fault
///   TLM_BURST_ERROR_RESPONSE        no data pointer, a streaming width of 0, or a message without data that
///                                   is longer than the network can carry
///   TLM_BYTE_ENABLE_ERROR_RESPONSE  byte enables of length 0
///   TLM_COMMAND_ERROR_RESPONSE      an invalid command
///
/// initiator_socket passes arriving requests to the node's own target, with addresses relative to its range.
/// It need not be bound: then writes end here and reads fail. With an address map a node may have several
/// targets, each with its own socket.
///
/// The two are 32 bits wide. Sockets of any other width come from target_socket_of and initiator_socket_of: a
/// width is part of the types of both ends of a binding, and changes nothing else.
class NetworkSockets : public sc_core::sc_module, private MessageSink {
 public:
  SocketForInitiators<32> target_socket;
  SocketForTarget<32> initiator_socket;

  NetworkSockets(sc_core::sc_module_name, SocketContext&, NetworkInterface&);
  const char* kind() const override { return "flitmend_network_sockets"; }

  /// The socket for initiators with that bus width. Before the end of elaboration.
  template <unsigned BUSWIDTH>
  SocketForInitiators<BUSWIDTH>& target_socket_of();
  /// The socket for one of the node's targets, with that bus width. Bind one of them per target. There is no
  /// such target: std::out_of_range. Before the end of elaboration.
  template <unsigned BUSWIDTH>
  SocketForTarget<BUSWIDTH>& initiator_socket_of(unsigned target = 0);

  /// Bytes that, on delivery, differed from the data that the initiator still held.
  std::uint64_t corrupted_bytes() const { return corrupted_; }

  // For the two sides.
  NodeId node() const { return node_; }
  NetworkInterface& network_interface() { return interface_; }
  InitiatorSide& initiator_side() { return initiator_side_; }
  const InitiatorSide& initiator_side() const { return initiator_side_; }
  TargetSide& target_side() { return target_side_; }
  const TargetSide& target_side() const { return target_side_; }
  /// Sends messages whose data flits carry t.bytes; without bytes, one message of `length` flits. They were
  /// created in cycle `created`, and may leave from cycle `from` on.
  void send_messages(NetworkTransaction&, NodeId destination, MessageKind, std::uint32_t length,
                     Cycle created, Cycle from);

  // For its sockets.
  unsigned transport_dbg(tlm::tlm_generic_payload&);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&);
  void invalidate_direct_mem_ptr(unsigned target, sc_dt::uint64 first, sc_dt::uint64 last);

 private:
  void end_of_elaboration() override;
  /// At the end of elaboration, or at the first debug or DMI call if that comes earlier, from another
  /// module's end_of_elaboration.
  void connect_targets();
  void require_target(unsigned target) const;

  bool admits(Message&) override;
  void message_arrived(MessageIndex, Message&, Cycle) override;
  void message_failed(MessageIndex, Message&, Cycle) override;
  void message_left(Message&) override;
  /// Data flits have arrived, in a whole message or in a piece: the message's bytes are reassembled here.
  void data_arrived(Message&, std::uint32_t first, std::uint32_t count) override;
  void source_queue_has_room() override { initiator_side_.offer_room(); }
  bool work(Cycle) override;

  void check_bytes(const NetworkTransaction&, MessageIndex, const Message&, Cycle);
  /// A message of the transaction has been lost, and none of the others is under way any longer.
  void give_up(NetworkTransaction&);

  SocketContext& context_;
  NetworkInterface& interface_;
  NodeId node_;
  InitiatorSide initiator_side_;
  TargetSide target_side_;
  std::vector<std::unique_ptr<InitiatorBinding>> more_initiators_;  ///< of other widths
  std::vector<std::unique_ptr<TargetBinding>> more_targets_;        ///< of other widths, and further ones
  bool targets_connected_ = false;
  std::uint64_t corrupted_ = 0;
};

template <unsigned BUSWIDTH>
SocketForInitiators<BUSWIDTH>& NetworkSockets::target_socket_of() {
  if constexpr (BUSWIDTH == 32) {
    return target_socket;
  } else {
    for (const auto& binding : more_initiators_)
      if (binding->bus_width() == BUSWIDTH) return static_cast<SocketForInitiators<BUSWIDTH>&>(*binding);
    const HierarchyScope scope(*this);
    auto made = std::make_unique<SocketForInitiators<BUSWIDTH>>(
        *this, initiator_side_, ("target_socket_" + std::to_string(BUSWIDTH)).c_str());
    SocketForInitiators<BUSWIDTH>& socket = *made;
    more_initiators_.push_back(std::move(made));
    return socket;
  }
}

template <unsigned BUSWIDTH>
SocketForTarget<BUSWIDTH>& NetworkSockets::initiator_socket_of(unsigned target) {
  require_target(target);
  if constexpr (BUSWIDTH == 32)
    if (target == 0) return initiator_socket;
  for (const auto& binding : more_targets_)
    if (binding->bus_width() == BUSWIDTH && binding->target() == target)
      return static_cast<SocketForTarget<BUSWIDTH>&>(*binding);
  const HierarchyScope scope(*this);
  auto made = std::make_unique<SocketForTarget<BUSWIDTH>>(
      *this, target_side_, target,
      ("initiator_socket_" + std::to_string(BUSWIDTH) + "_" + std::to_string(target)).c_str());
  SocketForTarget<BUSWIDTH>& socket = *made;
  more_targets_.push_back(std::move(made));
  return socket;
}

}  // namespace flitmend
