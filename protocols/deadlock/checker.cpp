// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/checker.h"

#include <algorithm>

#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/extended_graph.h"
#include "protocols/deadlock/wormhole_search.h"

namespace flitmend {
namespace {

std::vector<ChannelId> translated(const std::vector<std::uint32_t>& cycle,
                                  const std::vector<ChannelId>& names) {
  std::vector<ChannelId> channels;
  for (std::uint32_t i : cycle) channels.push_back(names[i]);
  return channels;
}

DeadlockAnalysis::Escape summary(const ExtendedGraph& graph, bool cut_through, SurveyListener* listener) {
  DeadlockAnalysis::Escape e;
  e.connected = graph.connected;
  e.channels = graph.escape_channels.size();
  e.direct = edge_count(graph.direct);
  e.indirect = edge_count(graph.indirect);
  e.cycle = translated(shortest_cycle(cut_through ? graph.cut_through() : graph.wormhole(), listener),
                       graph.escape_channels);
  return e;
}

/// Bytes that a state graph takes, and that the dependencies of a channel do.
std::uint64_t bytes_of(const StateGraph& g) {
  return g.states.size() * sizeof(StateGraph::State) + g.points.size() * sizeof(StateGraph::Point) +
         g.edges.size() * sizeof(StateGraph::Edge) + g.sources.size() * sizeof(StateId);
}
constexpr std::uint64_t kBytesPerChannel = 200;

/// Tells a listener, where there is one, which step comes and what memory it takes.
class Steps {
 public:
  explicit Steps(ProofListener* listener) : listener_(listener) {}
  ProofListener* begin(std::string_view step, std::uint64_t bytes = 0) const {
    if (!listener_) return nullptr;
    if (bytes > 0) listener_->needs_memory(step, bytes);
    listener_->begin_step(step);
    return listener_;
  }

 private:
  ProofListener* listener_;
};

}  // namespace

const char* to_string(DeadlockVerdict verdict) {
  switch (verdict) {
    case DeadlockVerdict::free:
      return "free";
    case DeadlockVerdict::can_deadlock:
      return "can deadlock";
    case DeadlockVerdict::not_proved:
      return "not proved";
  }
  return "";
}

const char* to_string(DeadlockArgument argument) {
  switch (argument) {
    case DeadlockArgument::dependency_graph:
      return "channel dependency graph";
    case DeadlockArgument::escape_channels:
      return "extended graph of the escape channels";
    case DeadlockArgument::wormhole_fixpoint:
      return "wormhole fixpoint";
    case DeadlockArgument::cut_through_fixpoint:
      return "cut-through fixpoint";
    case DeadlockArgument::wormhole_search:
      return "wormhole deadlock found";
    case DeadlockArgument::none:
      return "none";
  }
  return "";
}

DeadlockAnalysis analyse_deadlock(const RoutingFunction& routing, const ChannelMap& channels,
                                  const DeadlockOptions& options) {
  DeadlockAnalysis a;
  a.channels = channels.size();
  const NodeId nodes = routing.topology().node_count();
  const Steps steps(options.listener);
  std::vector<char> escapes(channels.size());
  std::uint64_t graph_bytes = 0, points = 0;
  {
    SurveyProgress progress(steps.begin("channel dependencies", kBytesPerChannel * channels.size()), nodes);
    StateExplorer explorer(routing, channels, options.faults);
    DigraphBuilder builder(channels.size());
    for (NodeId d = 0; d < nodes; ++d) {
      const StateGraph& graph = explorer.explore(d);
      add_dependencies(graph, builder);
      add_route_checks(graph, a.routes);
      for (const StateGraph::Edge& e : graph.edges)
        if (e.escape) escapes[e.channel] = true;
      graph_bytes += bytes_of(graph);
      points = std::max<std::uint64_t>(points, graph.points.size());
      progress.add(1);
    }
    const Digraph graph = builder.take();
    a.dependencies = edge_count(graph);
    a.cycle = shortest_cycle(graph, steps.begin("shortest cycle"));
  }
  const auto conclude = [&](DeadlockVerdict verdict, DeadlockArgument argument) {
    a.verdict = verdict;
    a.argument = argument;
    a.needs_atomic_reallocation = verdict == DeadlockVerdict::free &&
                                  argument != DeadlockArgument::dependency_graph && !options.cut_through;
    return a;
  };
  if (a.cycle.empty()) return conclude(DeadlockVerdict::free, DeadlockArgument::dependency_graph);
  if (const auto c1 = static_cast<std::uint64_t>(std::count(escapes.begin(), escapes.end(), true)); c1 > 0) {
    ProofListener* const listener = steps.begin("dependencies of escape channels", c1 * (c1 + points) / 4);
    a.escape =
        summary(extended_graph(routing, channels, options.faults, listener), options.cut_through, listener);
    if (a.escape->connected && a.escape->cycle.empty())
      return conclude(DeadlockVerdict::free, DeadlockArgument::escape_channels);
  }
  // As much again for what the fixpoints know of every state.
  const std::vector<StateGraph> graphs = all_state_graphs(
      routing, channels, options.faults, steps.begin("states of all messages", 2 * graph_bytes));
  WaitFixpoint wormhole;
  if (!options.cut_through) {
    wormhole = wormhole_fixpoint(graphs, channels, steps.begin("messages that could block each other"));
    a.wormhole_blocked = wormhole.states;
    if (wormhole.empty()) return conclude(DeadlockVerdict::free, DeadlockArgument::wormhole_fixpoint);
  }
  const WaitFixpoint cut_through =
      cut_through_fixpoint(graphs, channels, steps.begin("messages that hold one channel each"));
  a.cut_through_blocked = cut_through.states;
  if (!cut_through.empty()) {
    a.deadlock = deadlocked_configuration(graphs, channels, cut_through, steps.begin("smallest deadlock"));
    return conclude(DeadlockVerdict::can_deadlock, DeadlockArgument::cut_through_fixpoint);
  }
  if (options.cut_through) return conclude(DeadlockVerdict::free, DeadlockArgument::cut_through_fixpoint);
  a.deadlock = find_wormhole_deadlock(graphs, channels, wormhole, steps.begin("search for a deadlock"));
  if (!a.deadlock.empty()) return conclude(DeadlockVerdict::can_deadlock, DeadlockArgument::wormhole_search);
  return conclude(DeadlockVerdict::not_proved, DeadlockArgument::none);
}

}  // namespace flitmend
