// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/sockets/payload_pool.h"
#include "testbench/traffic/message_source.h"

namespace flitmend {

class TrafficGenerator;

/// Wakes the traffic generators of a network. One process and one timed event serve all of them, because a
/// kernel event per message costs more than the message. Generators that wake in the same cycle wake in the
/// order of their nodes.
class GeneratorSchedule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(GeneratorSchedule);
  GeneratorSchedule(sc_core::sc_module_name, const Fabric&);
  const char* kind() const override { return "flitmend_generator_schedule"; }

  /// Wakes the generator at the time of that cycle's edge. Call it before the start, or from generate(); each
  /// generator has at most one entry.
  void wake(TrafficGenerator&, Cycle);
  /// Wakes the generator in the next delta cycle.
  void wake_soon(TrafficGenerator&);
  /// Calls `done` after each response to a generator.
  void on_answer(std::function<void()> done) { on_answer_ = std::move(done); }
  void answered() const {
    if (on_answer_) on_answer_();
  }

 private:
  struct Entry {
    Cycle cycle;
    std::uint32_t node;
    TrafficGenerator* generator;
    /// Whether this entry comes after the other: the order of a heap whose top is the earliest.
    bool operator<(const Entry& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };

  void run();

  const Fabric& fabric_;
  std::vector<Entry> sleeping_;  ///< a heap
  std::vector<TrafficGenerator*> soon_;
  std::vector<TrafficGenerator*> woken_;
  sc_core::sc_event delta_;
  std::function<void()> on_answer_;
};

/// A processing element that sends the messages of a source: an ordinary TLM-2.0 initiator (base protocol,
/// nb_transport). It sleeps until its next message is due. While the source queue is full it draws no further
/// messages; it does so later, with their own cycles of creation, so that a backlog needs no memory. Messages
/// of at least 3 flits are writes with generated data, as far as they fit in the node's address range;
/// shorter ones carry no data.
class TrafficGenerator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TrafficGenerator> socket;

  /// Sends the messages of `source` until cycle `stop`, exclusive.
  TrafficGenerator(sc_core::sc_module_name, const Fabric&, GeneratorSchedule&, PayloadPool&,
                   std::unique_ptr<MessageSource> source, NodeId node, std::uint64_t node_address_bytes,
                   Cycle stop);
  const char* kind() const override { return "flitmend_traffic_generator"; }

  NodeId node() const { return node_; }
  /// Sends what is due; called by the schedule.
  void generate();
  /// The node has died in that cycle, permanently: messages created later never were. Without this call those
  /// count that were created before the generator is next woken.
  void die(Cycle cycle) { stop_ = std::min(stop_, cycle + 1); }
  /// NewMessage::flow of the message that was handed over last, is about to be, or was reported last as held
  /// back.
  std::uint32_t flow() const { return flow_; }
  /// The class of the messages of each flow; empty: they have none. Before the start.
  void set_classes(std::vector<std::uint8_t> by_flow) { classes_ = std::move(by_flow); }
  /// Every message has been handed over.
  bool finished() const { return source_->next_arrival() >= stop_; }
  /// At the end of a run of `cycles` cycles: reports the messages that were created but not handed over
  /// because the source queue was full. Last call.
  void tell_held_back(Cycle cycles, MessageObserver&);

  std::uint64_t sent() const { return sent_; }
  std::uint64_t answered() const { return answered_; }
  /// Responses other than TLM_OK_RESPONSE.
  std::uint64_t failed() const { return failed_; }

 private:
  void send(const NewMessage&);
  void answer(tlm::tlm_generic_payload&);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

  const Fabric& fabric_;
  GeneratorSchedule& schedule_;
  PayloadPool& payloads_;
  std::unique_ptr<MessageSource> source_;
  NodeId node_;
  std::uint64_t address_bytes_;
  unsigned flit_bytes_;
  Cycle stop_;
  bool waiting_ = false;  ///< for the END_REQ of a full source queue
  std::uint32_t flow_ = 0;
  std::vector<std::uint8_t> classes_;
  std::uint64_t sent_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t failed_ = 0;
};

}  // namespace flitmend
