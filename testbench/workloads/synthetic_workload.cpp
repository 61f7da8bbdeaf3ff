// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/text.h"
#include "testbench/elements/traffic_generator.h"
#include "testbench/traffic/permutation.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "testbench/workloads/workload.h"

namespace flitmend {
namespace {

/// Nodes that are dead from the start.
std::vector<NodeId> dead_nodes(ConfiguredNetwork& network) {
  std::vector<NodeId> dead;
  if (network.plan())
    for (const FaultyPart& part : network.plan()->static_faults())
      if (part.is_router() && part.router < network.topology().node_count()) dead.push_back(part.router);
  return dead;
}

/// A generator at every node, with the pattern, lengths and arrivals of section traffic.
class SyntheticWorkload final : public Workload {
 public:
  explicit SyntheticWorkload(const WorkloadUse& use)
      : fabric_(use.network.fabric()),
        traffic_(use.configuration.traffic, use.network.topology(),
                 fabric_.context().hardware.injection_limit(), dead_nodes(use.network),
                 fabric_.context().hardware.flit_bits()),
        schedule_("generator_schedule", fabric_) {
    const Configuration& c = use.configuration;
    const Cycle stop = c.simulation.drain ? use.window.end : kNever;
    for (NodeId node = 0; node < fabric_.node_count(); ++node) {
      generators_.push_back(std::make_unique<TrafficGenerator>(
          (fabric_.topology().router_name(node) + "_generator").c_str(), fabric_, schedule_, use.payloads,
          traffic_.source(node, static_cast<std::uint64_t>(c.simulation.seed)), node,
          static_cast<std::uint64_t>(c.network.node_address_bytes), stop));
      generators_.back()->socket.bind(fabric_.sockets(node).target_socket);
    }
  }

  bool done() const override {
    return std::ranges::all_of(generators_, [](const auto& generator) { return generator->finished(); });
  }
  std::uint64_t failed() const override {
    std::uint64_t failed = 0;
    for (const auto& generator : generators_) failed += generator->failed();
    return failed;
  }
  void node_died(NodeId node, Cycle cycle) override { generators_[node]->die(cycle); }
  void tell_held_back(MessageObserver& observer) override {
    for (const auto& generator : generators_) generator->tell_held_back(fabric_.cycles(), observer);
  }

 private:
  Fabric& fabric_;
  SyntheticTraffic traffic_;
  GeneratorSchedule schedule_;
  std::vector<std::unique_ptr<TrafficGenerator>> generators_;
};

std::string synthetic_description(const TrafficSettings& traffic) {
  return formatted("%s traffic, load %g %s", traffic.pattern, traffic.load,
                   traffic.load_unit == "flits" ? "flits per node per cycle" : "of capacity");
}

std::vector<InputFile> synthetic_files(const TrafficSettings& traffic) {
  const std::string file = traffic.options.word(kPermutationFileOption);
  if (traffic.pattern != "permutation" || file.empty()) return {};
  return {{"traffic.permutation_file", file}};
}

LongestMessage check_synthetic(const Configuration& c, const Topology& topology,
                               const HardwareParameters& hardware) {
  const SyntheticTraffic traffic(c.traffic, topology, hardware.injection_limit(), {}, hardware.flit_bits());
  return {traffic.lengths().longest(), "traffic.message_length", "shorten traffic.message_length"};
}

}  // namespace

WorkloadEntry synthetic_workload() {
  return {.file_keys = {"traffic.permutation_file"},
          .chosen = [](const TrafficSettings&) { return true; },
          .description = synthetic_description,
          .files = synthetic_files,
          .single_flits =
              [](const TrafficSettings& traffic) {
                return traffic.length_distribution == "fixed" && traffic.message_length == 1;
              },
          .check = check_synthetic,
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<SyntheticWorkload>(use);
          }};
}

}  // namespace flitmend
