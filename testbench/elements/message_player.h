// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/signals/ring_queue.h"
#include "rtl_tlm/sockets/payload_pool.h"
#include "traces/message_schedule.h"

namespace flitmend {

/// Sends the messages of a schedule: one TLM-2.0 initiator per node, one schedule for all. A message that
/// waited for a delivery in cycle t is created in cycle t + 1, the first edge after it, or later. The
/// simulation pauses in the cycle in which the last message is delivered or abandoned.
class MessagePlayer : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::simple_initiator_socket_tagged<MessagePlayer>;
  sc_core::sc_vector<Socket> sockets;  ///< one per node

  SC_HAS_PROCESS(MessagePlayer);
  /// Binds the sockets to the network's. The schedule outlives this.
  MessagePlayer(sc_core::sc_module_name, Fabric&, PayloadPool&, MessageSchedule&,
                std::uint64_t node_address_bytes);
  const char* kind() const override { return "flitmend_message_player"; }

  /// The class of the messages of each flow; empty: they have none. Before the start.
  void set_classes(std::vector<std::uint8_t> by_flow) { classes_ = std::move(by_flow); }
  /// The schedule has changed: looks at it in the next cycle.
  void wake();
  /// Packet::flow of the message that the node has handed over last, or is about to.
  std::uint32_t flow_sent(NodeId node) const { return flow_sent_[node]; }
  /// Packet::bytes of that message.
  std::uint32_t bytes_sent(NodeId node) const { return bytes_sent_[node]; }
  /// At the end of a run: reports the messages that were ready but not handed over because the source queue
  /// was full. Last call.
  void tell_held_back(MessageObserver&);

 private:
  void play();
  void send(const MessageSchedule::Packet&);
  void answer(tlm::tlm_generic_payload&);
  tlm::tlm_sync_enum nb_transport_bw(int node, tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

  Fabric& fabric_;
  PayloadPool& payloads_;
  MessageSchedule& schedule_;
  std::uint64_t address_bytes_;
  /// By node: for room in the source queue. `ready` is the cycle of their creation.
  std::vector<RingQueue<MessageSchedule::Packet>> waiting_;
  std::vector<bool> blocked_;
  std::vector<std::uint32_t> flow_sent_, bytes_sent_;
  std::vector<std::uint8_t> classes_;
  sc_core::sc_event wake_;
};

}  // namespace flitmend
