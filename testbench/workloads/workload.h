// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "rtl_tlm/sockets/payload_pool.h"
#include "testbench/configured_network.h"

namespace flitmend {

/// What sends the messages of a run: TLM-2.0 initiators at the nodes.
class Workload {
 public:
  virtual ~Workload() = default;

  /// No more messages: every one has been handed over and, if the workload is measured to its end, has been
  /// delivered or abandoned.
  virtual bool done() const = 0;
  /// Messages whose initiators saw a response other than TLM_OK_RESPONSE.
  virtual std::uint64_t failed() const = 0;
  /// A node has died permanently in that cycle.
  virtual void node_died(NodeId, Cycle) {}
  /// At the end of a run: reports the messages that were created but not handed over because a source queue
  /// was full. Last call.
  virtual void tell_held_back(MessageObserver&) = 0;
};

/// What a workload is made for. All but `window` outlive it.
struct WorkloadUse {
  const Configuration& configuration;
  ConfiguredNetwork& network;
  PayloadPool& payloads;
  MeasuredWindow window;
};

struct WorkloadEntry {
  /// Measured from the first cycle until it is done, instead of for simulation.measure cycles.
  bool to_its_end = false;
  /// Whether a configuration chooses it.
  bool (*chosen)(const TrafficSettings&) = nullptr;
  /// Binds its initiators to the network's sockets. Before the simulation starts.
  std::unique_ptr<Workload> (*make)(const WorkloadUse&) = nullptr;
};

/// The workload that a configuration chooses.
const WorkloadEntry& workload_of(const TrafficSettings&);

}  // namespace flitmend
