// SPDX-License-Identifier: Apache-2.0
// A trace of messages in CSV.
#include <charconv>

#include "testbench/traffic/field_reader.h"
#include "testbench/workloads/trace_workload.h"
#include "traces/messages/trace_replay.h"

namespace flitmend {
namespace {

/// Numbers are those of the trace, which a mapping changes; names and coordinates are those of the network.
TraceReader::NodeOf nodes_of(const Configuration& c, const Topology& topology) {
  return [&c, &topology, mapping = mapping_of(c.traffic, topology)](std::string_view text,
                                                                    const Place& place) mutable {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool numbered = error == std::errc() && end == text.data() + text.size();
    if (mapping.empty() || !numbered) return node_of_text(text, topology, c.tlm.address_map, place);
    return node_of_text(std::to_string(mapping(number)), topology, c.tlm.address_map, place);
  };
}

LongestMessage check_message_trace(const Configuration& c, const Topology& topology,
                                   const HardwareParameters& hardware) {
  refuse_trace_keys(c, "");
  const TraceSummary summary =
      scan_trace(trace_of(c.traffic), nodes_of(c, topology), hardware.link.flit_bytes);
  return {summary.longest, "traffic.trace", "shorten the messages of the trace"};
}

std::vector<FlowDescription> trace_classes(const std::string& file, const TraceReader::NodeOf& node_of,
                                           std::uint32_t flit_bytes) {
  std::vector<FlowDescription> classes;
  for (const std::string& name : scan_trace(file, node_of, flit_bytes).classes)
    classes.push_back({.name = name.empty() ? "messages" : name, .message_class = name});
  return classes;
}

std::unique_ptr<Workload> make_message_trace(const WorkloadUse& use) {
  const TraceReader::NodeOf node_of = nodes_of(use.configuration, use.network.topology());
  const std::string file = trace_of(use.configuration.traffic);
  const std::uint32_t flit_bytes = use.network.fabric().context().hardware.link.flit_bytes;
  return std::make_unique<TraceWorkload<TraceReplay>>(
      use, std::make_unique<TraceReplay>(file, node_of, flit_bytes),
      trace_classes(file, node_of, flit_bytes));
}

}  // namespace

WorkloadEntry message_trace_workload() {
  WorkloadEntry entry = trace_entry();
  entry.options.clear();  // the entry for Netrace has them
  entry.chosen = [](const TrafficSettings& traffic) { return is_csv_trace(trace_of(traffic)); };
  entry.check = check_message_trace;
  entry.flows = [](const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
    return trace_classes(trace_of(c.traffic), nodes_of(c, topology), hardware.link.flit_bytes);
  };
  entry.make = make_message_trace;
  return entry;
}

}  // namespace flitmend
