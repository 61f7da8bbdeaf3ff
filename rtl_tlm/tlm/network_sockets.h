// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/tlm/payload_pool.h"

namespace flitmend {

class Fabric;

/// A processing element's transaction in the network.
struct NetworkTransaction {
  tlm::tlm_generic_payload* payload = nullptr;  ///< the initiator's
  std::vector<unsigned char> bytes;             ///< carried by the data flits of the message in flight
  std::vector<unsigned char> received;          ///< bytes that have arrived (NetworkSockets::data_arrived)
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  NodeId source = 0;
  NodeId destination = 0;
  std::uint32_t length = 0;  ///< flits of the message waiting to be sent
  bool blocking = false;     ///< came through b_transport
  bool done = false;
  sc_core::sc_event* finished = nullptr;
};

/// Shared by the sockets of a fabric: addresses, payloads, transactions.
struct SocketContext {
  explicit SocketContext(std::uint64_t address_bytes) : node_address_bytes(address_bytes) {}
  NetworkTransaction* acquire();
  void release(NetworkTransaction*);
  PayloadPool payloads;
  std::uint64_t node_address_bytes;

 private:
  std::vector<std::unique_ptr<NetworkTransaction>> all_;
  std::vector<NetworkTransaction*> free_;
};

/// The TLM-2.0 side of a network interface, between a processing element and the network.
///
/// target_socket takes generic payloads. The node addressed is address / node_address_bytes; an access must
/// stay within one node's range. A write is a message of 2 + ceil(bytes / flit_bytes) flits. A read is a
/// message of 2 flits, and its reply is as long as a write. TLM_IGNORE_COMMAND is a message without data
/// (MessageExtension). nb_transport, base protocol: END_REQ when the source queue takes the message,
/// BEGIN_RESP when the tail of the message (for a read, of its reply) has been delivered; payloads must be
/// memory-managed. b_transport returns at that time. A delay counts as whole clock cycles from the next edge.
/// Error responses:
///
///   TLM_ADDRESS_ERROR_RESPONSE      outside the network
///   TLM_GENERIC_ERROR_RESPONSE      the message cannot be delivered, or is lost in a reset
///   TLM_BURST_ERROR_RESPONSE        longer than 65535 flits, or than a buffer if whole messages must fit
///                                   (for a read, its reply counts), or a streaming width below the length
///   TLM_BYTE_ENABLE_ERROR_RESPONSE  byte enables
///   TLM_COMMAND_ERROR_RESPONSE      an invalid command
///
/// initiator_socket passes arriving requests to the node's own target, with addresses relative to the node's
/// range. It need not be bound: then writes end here and reads fail.
class NetworkSockets : public sc_core::sc_module, private MessageSink {
 public:
  tlm_utils::simple_target_socket_optional<NetworkSockets> target_socket;
  tlm_utils::simple_initiator_socket_optional<NetworkSockets> initiator_socket;

  NetworkSockets(sc_core::sc_module_name, Fabric&, SocketContext&, NodeId);

  /// Bytes that, on delivery, differed from the data that the initiator still held.
  std::uint64_t corrupted_bytes() const { return corrupted_; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&);
  unsigned transport_dbg(tlm::tlm_generic_payload&);

  /// Error response for a payload that cannot become a message; TLM_OK_RESPONSE for one that can, with its
  /// destination and length.
  tlm::tlm_response_status decode(const tlm::tlm_generic_payload&, NodeId& destination,
                                  std::uint32_t& length) const;
  NetworkTransaction* open(tlm::tlm_generic_payload&, NodeId destination, std::uint32_t length);
  void send(NetworkTransaction&, const sc_core::sc_time& delay);
  void source_queue_has_room() override;

  void message_arrived(MessageIndex, Message&, Cycle) override;
  void message_failed(MessageIndex, Message&, Cycle) override;
  /// A data flit was consumed: the message's bytes are reassembled here.
  void data_arrived(Message&, std::uint32_t first, std::uint32_t count) override;
  /// Sends a message whose data flits carry t.bytes.
  void send_bytes(NetworkTransaction& t, NodeId destination, std::uint32_t length, MessageKind,
                  Cycle created);
  struct Underway {
    tlm::tlm_generic_payload* payload = nullptr;  ///< the one passed to the element
    NetworkTransaction* transaction = nullptr;    ///< null after its sender has received the response
  };
  void deliver(NetworkTransaction&, MessageIndex, Message&, Cycle);
  void hand_over(NetworkTransaction&);
  void begin_request(Underway, bool answer_sender);
  void element_done(tlm::tlm_generic_payload&);
  void finish_posted(NetworkTransaction&, tlm::tlm_response_status);
  void finish(NetworkTransaction&);
  void next_response();

  Fabric& fabric_;
  SocketContext& context_;
  NetworkInterface& interface_;
  NodeId node_;
  bool element_bound_ = false;
  NetworkTransaction* waiting_ = nullptr;  ///< its BEGIN_REQ has not had its END_REQ yet
  sc_core::sc_time waiting_delay_;
  RingQueue<NetworkTransaction*> responses_;  ///< those whose BEGIN_RESP waits for the previous one to end
  bool responding_ = false;
  sc_core::sc_event room_;
  unsigned blocked_ = 0;              ///< b_transport calls waiting for room
  bool requesting_ = false;           ///< the element has not accepted the last request
  RingQueue<Underway> to_element_;    ///< requests waiting for that
  std::vector<Underway> at_element_;  ///< passed on and not yet answered
  std::uint64_t corrupted_ = 0;

  void end_of_elaboration() override { element_bound_ = initiator_socket.size() > 0; }
};

}  // namespace flitmend
