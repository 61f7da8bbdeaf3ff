// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "testbench/workloads/trace_workload.h"
#include "traces/netrace/replay.h"

namespace flitmend {
namespace {

constexpr OptionKey kRegionOption{
    .key = {"trace_region", "", "Region of the trace to replay, counted from 0; -1: the whole trace.",
            KeyEffect::only_if_given("traffic.trace")},
    .values = OptionKey::Number{.initial = -1, .range = {-1, 65535}}};

std::optional<unsigned> region_of(const TrafficSettings& traffic) {
  const std::int64_t region = traffic.options.number(kRegionOption);
  return region < 0 ? std::nullopt : std::optional(static_cast<unsigned>(region));
}

FlowDescription flow_of(const NetraceType& type) {
  return {.name = std::string(type.name), .message_class = std::string(type.name)};
}

std::unique_ptr<Workload> make_netrace(const WorkloadUse& use) {
  std::vector<FlowDescription> types;
  for (const NetraceType& type : netrace_types()) types.push_back(flow_of(type));
  return std::make_unique<TraceWorkload<NetraceReplay>>(
      use,
      std::make_unique<NetraceReplay>(trace_of(use.configuration.traffic), use.network.topology(),
                                      use.network.fabric().context().hardware.link.flit_bytes,
                                      region_of(use.configuration.traffic),
                                      mapping_of(use.configuration, use.network.topology())),
      std::move(types));
}

/// Refuses packets of nodes that the network does not have by the mapping.
void check_mapped_nodes(const std::string& trace, std::optional<unsigned> region, NodeMapping mapping,
                        const Topology& topology) {
  NetraceReader reader(trace, region);
  for (NetracePacket packet; reader.read(packet);)
    for (const std::uint32_t node : {packet.source, packet.destination})
      if (mapping(node) >= topology.node_count())
        throw KeyError(
            "traffic.mapping",
            formatted("it does not list node %1% of the trace, and there is no node %1% in the %2%; "
                      "list it",
                      node, topology.description()));
}

/// An error of a trace, with a remedy where it says only what is damaged.
KeyError trace_error(const std::string& what) {
  const bool has_remedy = what.find("; ") != what.npos;
  return {"traffic.trace", has_remedy ? what : what + "; copy the trace again, or choose another one"};
}

LongestMessage check_netrace(const Configuration& c, const Topology& topology,
                             const HardwareParameters& hardware) {
  refuse_trace_keys(c, "traffic.trace_region");
  const std::optional<unsigned> region = region_of(c.traffic);
  const std::string trace = trace_of(c.traffic);
  std::uint32_t longest = 0;
  const NodeMapping mapping = mapping_of(c, topology);
  mapping.refuse_unused_names();
  try {
    if (mapping.empty()) check_netrace_fits(trace, NetraceReader(trace, region).header(), topology);
    for (const auto& [type, count] : scan_netrace(trace, region).by_type)
      longest = std::max(longest, flits_of_bytes(netrace_type(type)->bytes, hardware.link.flit_bytes));
  } catch (const ConfigurationError& error) {
    throw trace_error(error.what());
  }
  if (!mapping.empty()) check_mapped_nodes(trace, region, mapping, topology);
  return {longest, "traffic.trace", "raise link.flit_bytes"};
}

}  // namespace

WorkloadEntry netrace_workload() {
  WorkloadEntry entry = trace_entry();
  entry.options.push_back(&kRegionOption);
  entry.chosen = [](const TrafficSettings& traffic) { return !trace_of(traffic).empty(); };
  entry.check = check_netrace;
  entry.flows = [](const Configuration& c, const Topology&, const HardwareParameters&) {
    std::vector<FlowDescription> types;
    for (const auto& [type, count] : scan_netrace(trace_of(c.traffic), region_of(c.traffic)).by_type)
      types.push_back(flow_of(*netrace_type(type)));
    return types;
  };
  entry.make = make_netrace;
  return entry;
}

}  // namespace flitmend
