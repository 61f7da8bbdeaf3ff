// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "testbench/elements/traffic_generator.h"
#include "testbench/workloads/workload.h"

namespace flitmend {

/// A workload whose nodes each have a generator.
class Generators : public Workload {
 public:
  using SourceOf = std::function<std::unique_ptr<MessageSource>(NodeId)>;
  /// Each node sends what its source gives until cycle `stop`, exclusive.
  Generators(const WorkloadUse&, const SourceOf&, Cycle stop);

  bool done() const override;
  std::uint64_t failed() const override;
  void node_died(NodeId node, Cycle cycle) override { generators_[node]->die(cycle); }
  std::uint32_t flow_sent(NodeId node) const override { return generators_[node]->flow(); }
  void set_classes(const std::vector<std::uint8_t>& by_flow) override;
  void tell_held_back(MessageObserver&) override;

 protected:
  /// Every message that was handed over has been delivered or abandoned.
  bool all_answered() const;
  /// Pauses the simulation in the cycle in which the workload is done.
  void pause_when_done();

 private:
  Fabric& fabric_;
  GeneratorSchedule schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
};

}  // namespace flitmend
