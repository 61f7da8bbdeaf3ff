// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/deadlock/checker.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/deadlock/escape_order.h"
#include "protocols/deadlock/mirrors.h"

namespace flitmend {

/// Bytes of a state graph.
inline std::uint64_t bytes_of(const StateGraph& g) {
  return g.states.size() * sizeof(StateGraph::State) + g.points.size() * sizeof(StateGraph::Point) +
         g.edges.size() * sizeof(StateGraph::Edge) + g.sources.size() * sizeof(StateId);
}

/// What one pass over some of the destinations finds.
struct Findings {
  Findings(const ChannelMap& channels, bool randomised_routing, const DeadlockOptions& options)
      : dependencies(channels),
        escapes(channels.size()),
        order(channels.size(), options.cut_through),
        randomised(randomised_routing),
        faults(options.faults && options.faults->count() > 0) {}

  /// The states of the messages to one destination, which represents `stands_for` destinations.
  void add(const StateGraph& graph, const PointOrder& points, unsigned stands_for) {
    add_channels(graph, points);
    const std::size_t before = routes.pairs;
    add_route_checks(graph, points, randomised, routes);
    routes.pairs += (stands_for - 1) * (routes.pairs - before);
    graph_bytes += stands_for * bytes_of(graph);
  }
  /// What these states say of channels.
  void add_channels(const StateGraph& graph, const PointOrder& points) {
    dependencies.add(graph);
    bool any = false;
    for (const StateGraph::Edge& e : graph.edges)
      if (e.escape) {
        escapes[e.channel] = true;
        any = true;
      }
    if (any) order.add(graph, points);
    escapes_connected = escapes_connected && escapes_arrive(graph, points, faults);
  }
  /// The mirror images of these findings.
  void mirror(const std::vector<ChannelImages>& mirrors) {
    for (const ChannelImages& images : mirrors) {
      dependencies.mirror(images);
      for (ChannelId c = 0; c < escapes.size(); ++c) escapes[images[c]] |= escapes[c];
    }
  }
  /// Those of later destinations.
  void add(const Findings& later) {
    dependencies.add(later.dependencies);
    routes.add(later.routes);
    for (std::size_t c = 0; c < escapes.size(); ++c) escapes[c] |= later.escapes[c];
    escapes_connected = escapes_connected && later.escapes_connected;
    order.add(later.order);
    graph_bytes += later.graph_bytes;
  }

  DependencyGraph dependencies;
  RouteChecks routes;
  std::vector<char> escapes;  ///< by channel: whether it is an escape candidate of some state
  bool escapes_connected = true;
  EscapeOrder order;
  std::uint64_t graph_bytes = 0;
  bool randomised;  ///< the routing function is
  bool faults;      ///< there are any: a router then drops a head without candidates
};

}  // namespace flitmend
