// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/fault_changes.h"

#include <algorithm>
#include <span>

#include "protocols/deadlock/escape_order.h"

namespace flitmend {
namespace {

const FaultSet* if_any(const FaultSet* faults) {
  return faults->count() > 0 ? faults : nullptr;
}

/// Offers the candidates of several sets of faults: all routes that messages can have taken.
class RoutesOfSets final : public RoutingFunction {
 public:
  explicit RoutesOfSets(std::span<const RoutedFaults> sets)
      : RoutingFunction(sets.front().routing->topology()), sets_(sets) {}

  void route(const RouteRequest& request, CandidateList& all) const override {
    std::vector<RouteCandidate> storage(first().max_candidates());
    for (const RoutedFaults& set : sets_) {
      if (set.faults->router_faulty(request.here)) continue;
      CandidateList list(storage.data(), static_cast<unsigned>(storage.size()));
      const PortsOfRouter ports(*set.faults, request.here);
      RouteRequest with_set = request;
      if (set.faults->count() > 0) with_set.ports = &ports;
      set.routing->route(with_set, list);
      for (const RouteCandidate& c : list)
        if ((c.port == local_port(request.here) || !set.faults->blocked(request.here, c.port)) &&
            std::find(all.begin(), all.end(), c) == all.end())
          all.push(c);
    }
  }
  unsigned max_candidates() const override {
    return static_cast<unsigned>(sets_.size()) * first().max_candidates();
  }
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override {
    std::vector<std::uint64_t> states;
    for (const RoutedFaults& set : sets_)
      if (!set.faults->router_faulty(source) && !set.faults->router_faulty(destination))
        for (const std::uint64_t h : set.routing->initial_states(source, destination))
          if (std::find(states.begin(), states.end(), h) == states.end()) states.push_back(h);
    return states;
  }
  bool looks_at_arrival() const override { return first().looks_at_arrival(); }
  bool has_escape_channels() const override { return first().has_escape_channels(); }
  bool randomised() const override { return first().randomised(); }
  VcMask class_vcs(RouterId router, PortId port, unsigned vc_class) const override {
    return first().class_vcs(router, port, vc_class);
  }
  unsigned classes() const override { return first().classes(); }

 private:
  const RoutingFunction& first() const { return *sets_.front().routing; }

  std::span<const RoutedFaults> sets_;
};

/// The possible moves of messages, wherever they are when a set of faults begins, by destination.
class AfterChange {
 public:
  /// `before`: the routes that they can have taken.
  AfterChange(const RoutedFaults& set, const RoutingFunction& before, const ChannelMap& channels,
              ProofListener* listener)
      : relies_on_escapes_(set.routing->has_escape_channels()) {
    StateExplorer earlier(before, channels);
    StateExplorer now(*set.routing, channels, if_any(set.faults));
    const NodeId nodes = before.topology().node_count();
    SurveyProgress progress(listener, nodes);
    for (NodeId to = 0; to < nodes; ++to) {
      graphs_.push_back(now.explore(to, earlier.explore(to).states));
      for (StateGraph::Point& p : graphs_.back().points) p.consumed |= dropped(graphs_.back(), p);
      progress.add(1);
    }
  }

  bool escapes_arrive() const {
    PointOrder order;
    return std::all_of(graphs_.begin(), graphs_.end(), [&](const StateGraph& g) {
      order.find(g);
      return flitmend::escapes_arrive(g, order, true);
    });
  }
  const std::vector<StateGraph>& graphs() const { return graphs_; }

 private:
  /// Whether a router drops heads there after some time.
  bool dropped(const StateGraph& g, const StateGraph::Point& p) const {
    const auto edges = std::span<const StateGraph::Edge>(g.edges).subspan(p.first_edge, p.edge_count);
    return std::none_of(edges.begin(), edges.end(),
                        [&](const StateGraph::Edge& e) { return e.escape || !relies_on_escapes_; });
  }

  bool relies_on_escapes_;
  std::vector<StateGraph> graphs_;
};

}  // namespace

FaultChangeAnalysis analyse_fault_changes(const std::vector<RoutedFaults>& sets, bool in_order,
                                          const DeadlockOptions& options) {
  FaultChangeAnalysis result;
  const auto conclude = [&](DeadlockVerdict verdict, DeadlockArgument argument) {
    result.verdict = verdict;
    result.argument = argument;
    result.needs_atomic_reallocation = verdict == DeadlockVerdict::free && !options.cut_through &&
                                       argument != DeadlockArgument::dependency_graph;
  };
  const RoutesOfSets all(sets);
  const ChannelMap channels(all);
  DeadlockOptions of_all = options;
  of_all.brief = of_all.orders_only = true;
  of_all.faults = nullptr;
  const DeadlockAnalysis together = analyse_deadlock(all, channels, of_all);
  if (together.argument == DeadlockArgument::dependency_graph) {
    conclude(DeadlockVerdict::free, together.argument);
    return result;
  }
  const bool escapes_ordered = together.escape && together.escape->cycle.empty();
  bool escapes_arrive = true;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const RoutesOfSets until(std::span<const RoutedFaults>(sets).first(in_order ? i + 1 : sets.size()));
    const AfterChange after(sets[i], until, channels, options.listener);
    escapes_arrive = escapes_arrive && after.escapes_arrive();
    if (escapes_ordered && escapes_arrive) continue;
    const WaitFixpoint blocked = cut_through_fixpoint(after.graphs(), channels);
    if (blocked.empty()) continue;
    result.set = i;
    result.deadlock = deadlocked_configuration(after.graphs(), channels, blocked);
    conclude(DeadlockVerdict::can_deadlock, DeadlockArgument::cut_through_fixpoint);
    return result;
  }
  if (escapes_ordered && escapes_arrive)
    conclude(DeadlockVerdict::free, DeadlockArgument::escape_channels);
  else if (options.cut_through)
    conclude(DeadlockVerdict::free, DeadlockArgument::cut_through_fixpoint);
  return result;
}

}  // namespace flitmend
