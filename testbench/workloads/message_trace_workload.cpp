// SPDX-License-Identifier: Apache-2.0
// A trace of messages in CSV.
#include <charconv>
#include <functional>
#include <map>

#include "base/escaped_text.h"
#include "testbench/traffic/field_reader.h"
#include "testbench/workloads/trace_workload.h"
#include "traces/messages/trace_replay.h"

namespace flitmend {
namespace {

/// The nodes of a trace. Numbers, and names that a mapping lists, are those of the trace. Other names, and
/// coordinates, are those of the network, and the node counts as one that keeps its number.
class TraceNodes {
 public:
  TraceNodes(const Configuration& c, const Topology& topology)
      : map_(c.tlm.address_map), topology_(topology), mapping_(mapping_of(c, topology)) {}

  NodeId operator()(std::string_view text, const Place& place) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size())
      return mapping_.empty() ? of_network(text, place) : unlisted(std::to_string(mapping_(number)), place);
    // A name is looked up among all routers, so each only once.
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    const NodeId node = named(text, place);
    if (known_.size() < kMostKnown) known_.emplace(text, node);
    return node;
  }
  const NodeMapping& mapping() const { return mapping_; }

 private:
  static constexpr std::size_t kMostKnown = 1 << 16;

  NodeId of_network(std::string_view text, const Place& place) const {
    return node_of_text(text, topology_, map_, place);
  }
  /// A node that the mapping does not list.
  NodeId unlisted(std::string_view text, const Place& place) const {
    try {
      return of_network(text, place);
    } catch (const ConfigurationError& error) {
      if (mapping_.empty()) throw;
      const std::string why = std::string(error.what()).substr(place.text().size() + 2);
      throw ConfigurationError(place, why + "; traffic.mapping " + escaped_text(mapping_.file()) +
                                          " does not list it: add a line for it there");
    }
  }
  NodeId named(std::string_view text, const Place& place) {
    if (const auto node = mapping_(text)) return *node;
    const NodeId kept = unlisted(text, place);
    return mapping_.empty() ? kept : mapping_.keep(kept);
  }

  const std::vector<AddressMapEntry>& map_;
  const Topology& topology_;
  NodeMapping mapping_;
  std::map<std::string, NodeId, std::less<>> known_;
};

LongestMessage check_message_trace(const Configuration& c, const Topology& topology,
                                   const HardwareParameters& hardware) {
  refuse_trace_keys(c, "");
  TraceNodes nodes(c, topology);
  const TraceSummary summary = scan_trace(trace_of(c.traffic), std::ref(nodes), hardware.link.flit_bytes);
  nodes.mapping().refuse_unused_names();
  return {summary.longest, "traffic.trace", "shorten the messages of the trace"};
}

std::vector<FlowDescription> trace_classes(const TrafficSettings& traffic, const TraceReader::NodeOf& node_of,
                                           std::uint32_t flit_bytes) {
  const TraceSummary summary = scan_trace(trace_of(traffic), node_of, flit_bytes);
  std::vector<FlowDescription> classes;
  for (std::size_t i = 0; i < summary.classes.size(); ++i)
    classes.push_back({.name = summary.classes[i].empty() ? "messages" : summary.classes[i],
                       .message_class = summary.classes[i],
                       .class_place = summary.class_places[i]});
  give_class(classes, traffic);
  return classes;
}

std::unique_ptr<Workload> make_message_trace(const WorkloadUse& use) {
  const TraceReader::NodeOf node_of = TraceNodes(use.configuration, use.network.topology());
  const std::string file = trace_of(use.configuration.traffic);
  const std::uint32_t flit_bytes = use.network.fabric().context().hardware.link.flit_bytes;
  std::vector<FlowDescription> classes;
  // The classes are known only at the end of the file, which takes half a second per million messages to
  // read.
  if (use.configuration.statistics.flows || use.configuration.statistics.messages ||
      !use.network.classes().empty())
    classes = trace_classes(use.configuration.traffic, node_of, flit_bytes);
  return std::make_unique<TraceWorkload<TraceReplay>>(
      use, std::make_unique<TraceReplay>(file, node_of, flit_bytes), std::move(classes));
}

}  // namespace

WorkloadEntry message_trace_workload() {
  WorkloadEntry entry = trace_entry();
  entry.options.clear();  // the entry for Netrace has them
  entry.chosen = [](const TrafficSettings& traffic) { return is_csv_trace(trace_of(traffic)); };
  entry.check = check_message_trace;
  entry.flows = [](const Configuration& c, const Topology& topology, const HardwareParameters& hardware) {
    return trace_classes(c.traffic, TraceNodes(c, topology), hardware.link.flit_bytes);
  };
  entry.make = make_message_trace;
  return entry;
}

}  // namespace flitmend
