// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "testbench/elements/message_player.h"
#include "testbench/workloads/workload.h"
#include "traces/messages/node_mapping.h"

namespace flitmend {

/// trace, the option of section traffic that names a trace: a CSV trace (is_csv_trace), or a Netrace file.
extern const OptionKey kTraceOption;
std::string trace_of(const TrafficSettings&);

/// mapping, the option that names a file with new numbers for the nodes of a trace.
extern const OptionKey kMappingOption;
/// Empty without the option. Throws ConfigurationError, also if the network does not have the new nodes.
NodeMapping mapping_of(const Configuration&, const Topology&);

/// Refuses keys that have no effect with a trace. `also`: an option that has one.
void refuse_trace_keys(const Configuration&, const std::string& also);

/// Replays a trace: a schedule, and a player for it.
template <class Replay>
class TraceWorkload : public Workload {
 public:
  TraceWorkload(const WorkloadUse& use, std::unique_ptr<Replay> replay, std::vector<FlowDescription> flows)
      : replay_(std::move(replay)),
        flows_(std::move(flows)),
        player_("player", use.network.fabric(), use.payloads, *replay_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)) {}

  bool done() const override { return replay_->finished(); }
  std::uint64_t failed() const override { return replay_->undeliverable_count(); }
  std::span<const FlowDescription> flows() const override { return flows_; }
  std::uint32_t flow_sent(NodeId node) const override { return player_.flow_sent(node); }
  std::uint32_t bytes_sent(NodeId node) const override { return player_.bytes_sent(node); }
  void set_classes(const std::vector<std::uint8_t>& by_flow) override { player_.set_classes(by_flow); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }

 private:
  std::unique_ptr<Replay> replay_;
  std::vector<FlowDescription> flows_;
  MessagePlayer player_;
};

/// What all traces have in common as a workload; without a choice, a check and a maker.
WorkloadEntry trace_entry();

}  // namespace flitmend
