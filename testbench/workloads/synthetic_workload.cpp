// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "testbench/traffic/permutation.h"
#include "testbench/traffic/synthetic_traffic.h"
#include "testbench/workloads/generators.h"

namespace flitmend {
namespace {

/// The pattern, lengths and arrivals of section traffic.
SyntheticTraffic traffic_of(const WorkloadUse& use) {
  const HardwareParameters& hardware = use.network.fabric().context().hardware;
  return {use.configuration.traffic, use.network.topology(), hardware.injection_limit(),
          use.network.dead_nodes(), hardware.link.flit_bits()};
}

/// They last as long as the generators that use them.
struct OwnedTraffic {
  SyntheticTraffic traffic;
};

/// Synthetic traffic from every node.
class SyntheticWorkload final : private OwnedTraffic, public Generators {
 public:
  explicit SyntheticWorkload(const WorkloadUse& use)
      : OwnedTraffic{traffic_of(use)},
        Generators(
            use,
            [&](NodeId node) {
              return traffic.source(node, static_cast<std::uint64_t>(use.configuration.simulation.seed));
            },
            use.configuration.simulation.drain ? use.window.end : kNever) {}
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
  const SyntheticTraffic traffic(c.traffic, topology, hardware.injection_limit(), {},
                                 hardware.link.flit_bits());
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
          .why_no_classes = "list it as a flow, like flows: [{pattern: uniform, load: 0.2, class: NAME}]",
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<SyntheticWorkload>(use);
          }};
}

}  // namespace flitmend
