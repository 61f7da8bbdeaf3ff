// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/escape_dependencies.h"

#include <set>

#include "protocols/deadlock/state_graph.h"

namespace flitmend {
namespace {

/// f(channel, indirect) for the escape channels that a message in that state may come to want before it takes
/// one of them.
template <class Function>
void for_each_wanted(const StateGraph& graph, StateId state, Function&& f) {
  std::vector<PointId> points{graph.states[state].point};
  std::vector<char> seen(graph.points.size());
  seen[points.front()] = true;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const StateGraph::Edge& e : graph.edges_of(points[i])) {
      if (e.escape) f(e.channel, i > 0);
      if (e.escape || e.channel == kNoChannel) continue;
      const PointId next = graph.states[e.next].point;
      if (!seen[next]) points.push_back(next);
      seen[next] = true;
    }
}

}  // namespace

std::vector<EscapeDependency> escape_dependencies(const RoutingFunction& routing, const ChannelMap& channels,
                                                  const FaultSet* faults) {
  struct Acquired {
    StateId state;
    bool as_escape;
    auto operator<=>(const Acquired&) const = default;
  };
  std::set<EscapeDependency> all;
  std::vector<char> is_escape(channels.size());
  StateExplorer explorer(routing, channels, faults);
  for (NodeId destination = 0; destination < routing.topology().node_count(); ++destination) {
    const StateGraph& graph = explorer.explore(destination);
    std::set<Acquired> arrivals;
    for (const StateGraph::Edge& e : graph.edges) {
      if (e.channel == kNoChannel) continue;
      is_escape[e.channel] |= e.escape;
      arrivals.insert({e.next, e.escape});
    }
    for (const auto& [state, as_escape] : arrivals)
      for_each_wanted(graph, state, [&, state = state, as_escape = as_escape](ChannelId to, bool indirect) {
        all.insert({graph.states[state].arrival, to, indirect, !as_escape});
      });
  }
  std::erase_if(all, [&](const EscapeDependency& d) { return !is_escape[d.from]; });
  return {all.begin(), all.end()};
}

}  // namespace flitmend
