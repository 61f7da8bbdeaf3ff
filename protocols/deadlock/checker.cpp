// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/checker.h"

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

DeadlockAnalysis::Escape summary(const ExtendedGraph& graph, bool cut_through) {
  DeadlockAnalysis::Escape e;
  e.connected = graph.connected;
  e.channels = graph.escape_channels.size();
  e.direct = edge_count(graph.direct);
  e.indirect = edge_count(graph.indirect);
  e.cycle =
      translated(shortest_cycle(cut_through ? graph.cut_through() : graph.wormhole()), graph.escape_channels);
  return e;
}

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
  bool flagged = false;
  {
    StateExplorer explorer(routing, channels, options.faults);
    DigraphBuilder builder(channels.size());
    for (NodeId d = 0; d < routing.topology().node_count(); ++d) {
      const StateGraph& graph = explorer.explore(d);
      add_dependencies(graph, builder);
      add_route_checks(graph, a.routes);
      for (const StateGraph::Edge& e : graph.edges) flagged |= e.escape;
    }
    const Digraph graph = builder.take();
    a.dependencies = edge_count(graph);
    a.cycle = shortest_cycle(graph);
  }
  const auto conclude = [&](DeadlockVerdict verdict, DeadlockArgument argument) {
    a.verdict = verdict;
    a.argument = argument;
    a.needs_atomic_reallocation = verdict == DeadlockVerdict::free &&
                                  argument != DeadlockArgument::dependency_graph && !options.cut_through;
    return a;
  };
  if (a.cycle.empty()) return conclude(DeadlockVerdict::free, DeadlockArgument::dependency_graph);
  if (flagged) {
    a.escape = summary(extended_graph(routing, channels, options.faults), options.cut_through);
    if (a.escape->connected && a.escape->cycle.empty())
      return conclude(DeadlockVerdict::free, DeadlockArgument::escape_channels);
  }
  const std::vector<StateGraph> graphs = all_state_graphs(routing, channels, options.faults);
  WaitFixpoint wormhole;
  if (!options.cut_through) {
    wormhole = wormhole_fixpoint(graphs, channels);
    a.wormhole_blocked = wormhole.states;
    if (wormhole.empty()) return conclude(DeadlockVerdict::free, DeadlockArgument::wormhole_fixpoint);
  }
  const WaitFixpoint cut_through = cut_through_fixpoint(graphs, channels);
  a.cut_through_blocked = cut_through.states;
  if (!cut_through.empty()) {
    a.deadlock = deadlocked_configuration(graphs, channels, cut_through);
    return conclude(DeadlockVerdict::can_deadlock, DeadlockArgument::cut_through_fixpoint);
  }
  if (options.cut_through) return conclude(DeadlockVerdict::free, DeadlockArgument::cut_through_fixpoint);
  a.deadlock = find_wormhole_deadlock(graphs, channels, wormhole);
  if (!a.deadlock.empty()) return conclude(DeadlockVerdict::can_deadlock, DeadlockArgument::wormhole_search);
  return conclude(DeadlockVerdict::not_proved, DeadlockArgument::none);
}

}  // namespace flitmend
