// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/flow_loads.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kMostSteps = 20'000'000;  // of all that is added up
constexpr double kFullLoad = 1 + 1e-9;
constexpr std::size_t kMostNotes = 3;

/// A rate that flows offer over time.
class RateOverTime {
 public:
  void add(Cycle start, Cycle stop, double rate) {
    changes_.emplace_back(start, rate);
    if (stop != kNever) changes_.emplace_back(stop, -rate);
  }
  /// The highest it ever is.
  double peak() {
    std::ranges::sort(changes_);  // what ends in a cycle before what begins
    double sum = 0, most = 0;
    for (const auto& [cycle, change] : changes_) most = std::max(most, sum += change);
    return most;
  }

 private:
  std::vector<std::pair<Cycle, double>> changes_;
};

/// What flows bring to nodes and put on channels.
class FlowLoads {
 public:
  FlowLoads(const Topology& topology, const RoutingFunction& routing, bool one_path)
      : topology_(topology),
        routing_(routing),
        one_path_(one_path),
        storage_(routing.max_candidates()),
        at_node_(topology.node_count()),
        of_flow_(topology.node_count()) {
    for (RouterId r = 0; r < topology.router_count(); ++r) {
      first_channel_.push_back(on_channel_.size());
      on_channel_.resize(on_channel_.size() + topology.port_count(r));
    }
  }

  /// Adds a flow. False: it takes too long.
  bool add(const Flow& flow) {
    return flow.for_each_sender(topology_.node_count(), [&](NodeId source, double) {
      std::ranges::fill(of_flow_, 0.0);
      flow.add_rates(source, of_flow_);
      for (NodeId to = 0; to < of_flow_.size(); ++to) {
        if (of_flow_[to] <= 0) continue;
        at_node_[to].add(flow.start, flow.stop, of_flow_[to]);
        if (one_path_ && to != source) add_path(flow, source, to);
      }
      steps_ += of_flow_.size();
      return steps_ <= kMostSteps;
    });
  }

  std::vector<std::string> notes(bool unlimited_ejection) {
    std::vector<std::string> notes;
    if (!unlimited_ejection)
      for (NodeId node = 0; node < at_node_.size(); ++node)
        if (const double peak = at_node_[node].peak(); peak > kFullLoad)
          notes.push_back(
              formatted("flows bring %1% flits per cycle to %2%, which takes 1 at most; lower their "
                        "rates, or they wait longer and longer",
                        number_text(rounded(peak)), topology_.router_name(node)));
    for (RouterId r = 0; one_path_ && r < topology_.router_count(); ++r)
      for (PortId port = 0; port < topology_.port_count(r); ++port)
        if (const double peak = on_channel_[first_channel_[r] + port].peak(); peak > kFullLoad)
          notes.push_back(
              formatted("flows put %1% flits per cycle on the channel %2%.%3%, which carries 1 at most; "
                        "lower their rates, or they wait longer and longer",
                        number_text(rounded(peak)), topology_.router_name(r), topology_.port_name(r, port)));
    if (notes.size() > kMostNotes) {
      const std::size_t more = notes.size() - kMostNotes;
      notes.resize(kMostNotes);
      notes.push_back(formatted("%1% more of the nodes and channels are overloaded by flows", more));
    }
    return notes;
  }

 private:
  static double rounded(double rate) {
    return static_cast<double>(static_cast<std::uint64_t>(rate * 1e4 + .5)) / 1e4;
  }

  void add_path(const Flow& flow, NodeId source, NodeId to) {
    RouteRequest request{source, source, to, RouteRequest::kInjected, 0, 0, nullptr, nullptr};
    request.head_state = routing_.initial_states(source, to).front();
    for (RouterId hops = 0; request.here != to && hops <= topology_.router_count(); ++hops) {
      CandidateList list(storage_.data(), static_cast<unsigned>(storage_.size()));
      routing_.route(request, list);
      const auto next = list.empty() ? std::nullopt : topology_.neighbour(request.here, list[0].port);
      if (!next) return;
      on_channel_[first_channel_[request.here] + list[0].port].add(flow.start, flow.stop, of_flow_[to]);
      request.head_state = list[0].head_state;
      request.here = next->router;
      request.arrival_port = next->port;
      ++steps_;
    }
  }

  const Topology& topology_;
  const RoutingFunction& routing_;
  bool one_path_;
  std::vector<RouteCandidate> storage_;
  std::vector<RateOverTime> at_node_, on_channel_;
  std::vector<std::size_t> first_channel_;  ///< by router
  std::vector<double> of_flow_;             ///< from one source, by destination
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<std::string> overload_notes(const FlowTraffic& traffic, const Topology& topology,
                                        const RoutingFunction& routing, bool one_path,
                                        bool unlimited_ejection, Cycle end) {
  std::vector<std::string> notes;
  std::size_t late = 0;
  FlowLoads loads(topology, routing, one_path);
  bool all = true;
  for (const auto& flow : traffic.flows()) {
    for (std::size_t i = 0; i < flow->descriptions.size(); ++i) {
      const Cycle start = flow->starts.empty() ? flow->start : flow->starts[i];
      if (start >= end && ++late <= kMostNotes)
        notes.push_back(formatted(
            "flow %1% starts in cycle %2%, but nothing is sent from cycle %3% on; start it earlier, "
            "or raise simulation.measure",
            shown_value(flow->descriptions[i].name), start, end));
    }
    if (flow->start < end) all = all && loads.add(*flow);
  }
  if (late > kMostNotes) notes.push_back(formatted("%1% more flows start after that", late - kMostNotes));
  if (all)
    for (std::string& note : loads.notes(unlimited_ejection)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace flitmend
