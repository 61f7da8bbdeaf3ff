// SPDX-License-Identifier: Apache-2.0
#include "testbench/workloads/flows_workload.h"

#include <algorithm>

#include "base/text.h"
#include "protocols/routing/registry.h"
#include "testbench/traffic/flow_loads.h"
#include "testbench/traffic/injection.h"
#include "testbench/workloads/generators.h"

namespace flitmend {
namespace {

/// They last as long as the generators that use them.
struct OwnedFlows {
  FlowTraffic traffic;
};

/// Sends traffic.flows, traffic.matrix and traffic.noxim_table.
class FlowsWorkload final : private OwnedFlows, public Generators {
 public:
  explicit FlowsWorkload(const WorkloadUse& use)
      : OwnedFlows{{use.configuration, use.network.topology(), use.network.fabric().context().hardware,
                    use.network.dead_nodes()}},
        Generators(
            use,
            [&](NodeId node) {
              return traffic.source(node, static_cast<std::uint64_t>(use.configuration.simulation.seed));
            },
            use.configuration.simulation.drain ? use.window.end : kNever),
        configuration_(use.configuration),
        network_(use.network),
        end_(use.window.end) {}

  std::span<const FlowDescription> flows() const override { return traffic.descriptions(); }
  std::vector<std::string> notes() const override {
    return flows_notes(traffic, configuration_, network_, end_);
  }

 private:
  const Configuration& configuration_;
  ConfiguredNetwork& network_;
  Cycle end_;
};

std::string matrix_of(const TrafficSettings& traffic) {
  return traffic.options.word(kMatrixOption);
}
std::string noxim_table_of(const TrafficSettings& traffic) {
  return traffic.options.word(kNoximTableOption);
}

void add_length_keys(GivenKeys& keys) {
  keys["traffic.message_length"];
  keys["traffic.length_distribution"];
  for (const LengthEntry& lengths : length_distributions().entries())
    for (const OptionKey* option : lengths.options) keys["traffic." + std::string(option->name())];
}

}  // namespace

bool has_flows(const TrafficSettings& traffic) {
  return !traffic.options.flows(kFlowsOption).empty() || !matrix_of(traffic).empty() ||
         !noxim_table_of(traffic).empty();
}

std::string flows_description(const TrafficSettings& traffic) {
  const FlowList flows = traffic.options.flows(kFlowsOption);
  std::vector<std::string> parts;
  if (!flows.file.empty()) parts.push_back("flows of " + flows.file);
  if (!flows.listed.empty()) parts.push_back(counted(flows.listed.size(), "flow"));
  if (const std::string file = matrix_of(traffic); !file.empty()) parts.push_back("matrix " + file);
  if (const std::string file = noxim_table_of(traffic); !file.empty())
    parts.push_back("traffic table " + file);
  return joined(parts);
}

std::vector<std::string_view> flow_file_keys() {
  return {"traffic.flows", "traffic.matrix", "traffic.noxim_table"};
}

std::vector<InputFile> flows_files(const TrafficSettings& traffic) {
  std::vector<InputFile> files;
  const auto add = [&](std::string_view key, const std::string& file) {
    if (!file.empty()) files.push_back({key, file});
  };
  const FlowList flows = traffic.options.flows(kFlowsOption);
  add("traffic.flows", flows.file);
  for (const ListedFlow& flow : flows.listed)
    for (const ListedFields::Field& field : flow.fields)
      if (field.key == "matrix") add("traffic.flows", field.text);
  add("traffic.matrix", matrix_of(traffic));
  add("traffic.noxim_table", noxim_table_of(traffic));
  return files;
}

GivenKeys flow_keys() {
  GivenKeys given = {{"traffic.flows", {}},
                     {"traffic.matrix", {}},
                     {"traffic.noxim_table", {}},
                     {"traffic.clock_mhz", {}},
                     {"traffic.injection", {}}};
  add_length_keys(given);
  for (const InjectionEntry& process : injection_processes().entries())
    for (const OptionKey* option : process.options) given["traffic." + std::string(option->name())];
  return given;
}

std::vector<std::string> flows_notes(const FlowTraffic& traffic, const Configuration& c,
                                     ConfiguredNetwork& network, Cycle end) {
  std::vector<std::string> notes;
  GivenKeys unused;
  if (std::ranges::none_of(traffic.flows(), [](const auto& flow) { return flow->section_lengths; }))
    add_length_keys(unused);
  if (std::ranges::none_of(traffic.flows(), [](const auto& flow) { return flow->section_injection; }))
    unused["traffic.injection"];
  for (const DeclaredKey& key : changed_keys(c, c.traffic))
    if (unused.contains(key.path))
      notes.push_back(c.place_of(key.path).text() + ": " + key.path +
                      " has no effect, because no flow uses it; remove it");
  const RoutingProperties routing = routing_properties(network.topology(), c.routing);
  const bool one_path = routing.adaptivity == Adaptivity::deterministic && routing.vector_wires == 0 &&
                        !routing.absorbs && !c.faults.any();
  const HardwareParameters& hardware = network.fabric().context().hardware;
  for (std::string& note : overload_notes(traffic, network.topology(), network.routing(), one_path,
                                          hardware.network_interface.unlimited_ejection(), end))
    notes.push_back(std::move(note));
  return notes;
}

namespace {

LongestMessage check_flows(const Configuration& c, const Topology& topology,
                           const HardwareParameters& hardware) {
  GivenKeys given = flow_keys();
  given["traffic.load"] = "0";
  refuse_keys(c, c.traffic, given, "with flows (traffic.flows, matrix, noxim_table), which say what is sent");
  return {FlowTraffic(c, topology, hardware).longest(), "traffic.flows", "shorten the messages of the flows"};
}

}  // namespace

WorkloadEntry flows_workload() {
  return {.options = {&kFlowsOption, &kMatrixOption, &kNoximTableOption, &kClockOption},
          .file_keys = flow_file_keys(),
          .chosen = has_flows,
          .description = flows_description,
          .files = flows_files,
          .check = check_flows,
          .flows =
              [](const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
                return FlowTraffic(c, topology, hardware).descriptions();
              },
          .make = [](const WorkloadUse& use) -> std::unique_ptr<Workload> {
            return std::make_unique<FlowsWorkload>(use);
          }};
}

}  // namespace flitmend
