// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/request_reply.h"

#include <algorithm>

#include "protocols/deadlock/dependency_graph.h"

namespace flitmend {
namespace {

void add_once(std::vector<ChannelId>& list, ChannelId channel) {
  if (std::find(list.begin(), list.end(), channel) == list.end()) list.push_back(channel);
}

}  // namespace

std::vector<ChannelId> request_reply_cycle(const RoutingFunction& routing, const ChannelMap& channels,
                                           const FaultSet* faults) {
  const NodeId nodes = routing.topology().node_count();
  StateExplorer explorer(routing, channels, faults);
  DependencyGraph dependencies(channels);
  std::vector<std::vector<ChannelId>> last(nodes);   // by node: on which requests arrive there
  std::vector<std::vector<ChannelId>> first(nodes);  // by node: on which its replies start
  for (NodeId destination = 0; destination < nodes; ++destination) {
    const StateGraph& graph = explorer.explore(destination);
    dependencies.add(graph);
    for (const StateGraph::State& state : graph.states) {
      if (state.arrival != kNoChannel) {
        if (graph.at_destination(state.point)) add_once(last[destination], state.arrival);
        continue;
      }
      for (const StateGraph::Edge& edge : graph.edges_of(state.point))
        if (edge.channel != kNoChannel) add_once(first[graph.points[state.point].here], edge.channel);
    }
  }
  for (NodeId node = 0; node < nodes; ++node)
    for (const ChannelId arriving : last[node])
      for (const ChannelId leaving : first[node]) dependencies.add(arriving, leaving);
  return shortest_cycle(dependencies.edges(), nullptr);
}

std::string describe_request_reply(const std::vector<ChannelId>& cycle, const ChannelMap& channels,
                                   const Topology& topology) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const ChannelId next = cycle[(i + 1) % cycle.size()];
    text += "  " + channels.name(cycle[i]) + " waits for " + channels.name(next) + ", at " +
            topology.router_name(channels.far_end(cycle[i]).router) + "\n";
  }
  return text;
}

}  // namespace flitmend
