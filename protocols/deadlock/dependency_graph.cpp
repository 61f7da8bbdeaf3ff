// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/dependency_graph.h"

namespace flitmend {

void add_dependencies(const StateGraph& graph, DigraphBuilder& builder) {
  for (const StateGraph::State& s : graph.states) {
    if (s.arrival == kNoChannel) continue;
    for (const StateGraph::Edge& e : graph.edges_of(s.point))
      if (e.channel != kNoChannel) builder.add(s.arrival, e.channel);
  }
}

Digraph dependency_graph(const RoutingFunction& routing, const ChannelMap& channels, const FaultSet* faults) {
  StateExplorer explorer(routing, channels, faults);
  DigraphBuilder builder(channels.size());
  for (NodeId d = 0; d < routing.topology().node_count(); ++d) add_dependencies(explorer.explore(d), builder);
  return builder.take();
}

}  // namespace flitmend
