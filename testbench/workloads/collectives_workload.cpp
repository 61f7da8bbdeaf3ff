// SPDX-License-Identifier: Apache-2.0
// traffic.collectives.
#include <algorithm>

#include "base/text.h"
#include "testbench/collectives/collective_run.h"
#include "testbench/elements/message_player.h"
#include "testbench/elements/message_receiver.h"
#include "testbench/traffic/flow.h"
#include "testbench/workloads/refused_keys.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

std::vector<PlannedCollective> planned(const Configuration& c, const Topology& topology,
                                       std::uint32_t flit_bytes) {
  try {
    return planned_collectives(c, topology, flit_bytes);
  } catch (const KeyError&) {
    throw;
  } catch (const ConfigurationError& error) {
    if (error.place()) throw;
    throw KeyError("traffic.collectives", error.what());
  }
}

FlowDescription flow_of(const PlannedCollective& c) {
  return {.name = c.name, .message_class = std::string(c.kind->operation->name), .bytes = c.piece_bytes};
}

class CollectivesWorkload final : public Workload {
 public:
  explicit CollectivesWorkload(const WorkloadUse& use)
      : fabric_(use.network.fabric()),
        clock_hz_(use.configuration.traffic.options.real(kClockOption) * 1e6),
        run_(planned(use.configuration, use.network.topology(), flit_bytes()), fabric_.node_count(),
             static_cast<std::uint64_t>(use.configuration.simulation.seed)),
        player_("player", fabric_, use.payloads, run_,
                static_cast<std::uint64_t>(use.configuration.network.node_address_bytes)),
        receiver_("receiver", fabric_, [this](std::uint32_t handle, std::optional<std::uint64_t> content) {
          const Cycle next = fabric_.next_cycle();
          run_.received(handle, content, next > 0 ? next - 1 : 0);
          player_.wake();
        }) {
    for (const PlannedCollective& c : run_.collectives()) flows_.push_back(flow_of(c));
    for (const NodeId node : use.network.dead_nodes()) run_.stop_node(node, 0);
  }

  bool done() const override { return run_.finished(); }
  std::uint64_t failed() const override { return run_.failed(); }
  void node_died(NodeId node, Cycle cycle) override { run_.stop_node(node, cycle + 1); }
  std::span<const FlowDescription> flows() const override { return flows_; }
  std::uint32_t flow_sent(NodeId node) const override { return player_.flow_sent(node); }
  void set_classes(std::vector<std::uint8_t> by_flow) override { player_.set_classes(std::move(by_flow)); }
  void tell_held_back(MessageObserver& observer) override { player_.tell_held_back(observer); }
  void fill(Results&) const override;

 private:
  std::uint32_t flit_bytes() const { return fabric_.context().hardware.link.flit_bytes; }
  CollectiveResults results_of(std::size_t collective) const;

  Fabric& fabric_;
  double clock_hz_;
  std::vector<FlowDescription> flows_;
  CollectiveRun run_;
  MessagePlayer player_;
  MessageReceiver receiver_;
};

CollectiveResults CollectivesWorkload::results_of(std::size_t collective) const {
  const PlannedCollective& c = run_.collectives()[collective];
  const CollectiveCounts& counts = run_.counts(collective);
  CollectiveResults r;
  r.name = c.name;
  r.collective = c.kind->operation->name;
  r.algorithm = c.kind->algorithm;
  r.members = c.members.size();
  r.bytes = c.bytes;
  r.repetitions = c.repetitions;
  r.completed = counts.completed;
  r.messages = counts.messages;
  r.lost = counts.failed;
  r.wrong = counts.wrong_slots;
  r.missing = run_.missing(collective, [&](NodeId node) { return fabric_.topology().router_name(node); });
  if (counts.begin != kNever) r.begin = counts.begin;
  if (counts.completed == 0) return r;
  r.end = counts.end;
  r.time = static_cast<double>(counts.time_sum) / static_cast<double>(counts.completed);
  r.time_max = counts.time_max;
  if (counts.time_sum == 0) return r;
  r.algorithm_bandwidth = static_cast<double>(c.bytes) / *r.time;
  r.bus_bandwidth = *r.algorithm_bandwidth * c.kind->operation->bus_factor(static_cast<double>(r.members));
  r.bus_flits = *r.bus_bandwidth / flit_bytes();
  r.algorithm_bytes_per_second = *r.algorithm_bandwidth * clock_hz_;
  r.bus_bytes_per_second = *r.bus_bandwidth * clock_hz_;
  return r;
}

void CollectivesWorkload::fill(Results& results) const {
  results.collectives.emplace();
  for (std::size_t i = 0; i < run_.collectives().size(); ++i) {
    results.collectives->list.push_back(results_of(i));
    results.contract.violations += results.collectives->list.back().wrong;
  }
  for (const WrongContents& wrong : run_.wrong()) {
    Violation v;
    v.what = formatted(
        "collective %1%, repetition %2%: slot %3% is not the result; a contribution is missing or "
        "counted twice",
        run_.collectives()[wrong.collective].name, wrong.repetition, wrong.slot);
    v.node = wrong.node;
    v.cycle = wrong.cycle;
    results.contract.first.push_back(std::move(v));
  }
}

std::string collectives_description(const TrafficSettings& traffic) {
  return counted(traffic.options.collectives(kCollectivesOption).size(), "collective");
}

LongestMessage check_collectives(const Configuration& c, const Topology& topology,
                                 const HardwareParameters& hardware) {
  refuse_keys(
      c, c.traffic,
      {{"traffic.collectives", {}}, {"traffic.groups", {}}, {"traffic.clock_mhz", {}}, {"traffic.load", "0"}},
      "with traffic.collectives, which say what is sent");
  refuse_phases(c, "with traffic.collectives: a run lasts and is measured from cycle 0 to the last message");
  std::uint32_t longest = 1;
  for (const PlannedCollective& one : planned(c, topology, hardware.link.flit_bytes))
    longest = std::max(longest, one.length);
  return {longest, "traffic.collectives", "lower the bytes of the collectives"};
}

}  // namespace

WorkloadEntry collectives_workload() {
  return {.to_its_end = true,
          .receives = true,
          .options = {&kCollectivesOption, &kGroupsOption},
          .chosen =
              [](const TrafficSettings& traffic) {
                return !traffic.options.collectives(kCollectivesOption).empty();
              },
          .description = collectives_description,
          .files = [](const TrafficSettings&) { return std::vector<InputFile>(); },
          .check = check_collectives,
          .flows =
              [](const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
                std::vector<FlowDescription> flows;
                for (const PlannedCollective& one : planned(c, topology, hardware.link.flit_bytes))
                  flows.push_back(flow_of(one));
                return flows;
              },
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<CollectivesWorkload>(use);
          }};
}

}  // namespace flitmend
