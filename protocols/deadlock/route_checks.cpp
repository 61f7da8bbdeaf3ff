// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/route_checks.h"

#include <algorithm>
#include <map>

#include "base/backward_reach.h"

namespace flitmend {
namespace {

/// The channels of a cycle among the points, by depth-first search; empty if there is none.
std::vector<ChannelId> find_cycle(const StateGraph& g) {
  enum : char { unseen, open, left };
  struct Frame {
    PointId point;
    std::uint32_t next;
  };
  std::vector<char> mark(g.points.size(), unseen);
  std::vector<Frame> frames;
  for (PointId root = 0; root < g.points.size(); ++root) {
    if (mark[root] != unseen) continue;
    mark[root] = open;
    frames.push_back({root, 0});
    while (!frames.empty()) {
      const PointId p = frames.back().point;
      const auto edges = g.edges_of(p);
      if (frames.back().next == edges.size()) {
        mark[p] = left;
        frames.pop_back();
        continue;
      }
      const PointId q = g.states[edges[frames.back().next++].next].point;
      if (mark[q] == unseen) {
        mark[q] = open;
        frames.push_back({q, 0});
      } else if (mark[q] == open) {
        std::vector<ChannelId> cycle;
        auto from = std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.point == q; });
        for (; from != frames.end(); ++from)
          if (const ChannelId c = g.edges_of(from->point)[from->next - 1].channel; c != kNoChannel)
            cycle.push_back(c);
        return cycle;
      }
    }
  }
  return {};
}

}  // namespace

void add_route_checks(const StateGraph& g, RouteChecks& checks) {
  BackwardReach reach(g.points.size());
  std::vector<char> arrives(g.points.size()), strands(g.points.size());
  for (PointId p = 0; p < g.points.size(); ++p) {
    arrives[p] = g.points[p].consumed && g.at_destination(p);
    strands[p] = !g.points[p].consumed && g.points[p].edge_count == 0;
    for (const StateGraph::Edge& e : g.edges_of(p)) reach.add_edge(p, g.states[e.next].point);
  }
  reach.mark(arrives);
  reach.mark(strands);
  // A node may start with several h: it has a route if one of them has, and can strand if one of them can.
  std::map<NodeId, std::pair<bool, bool>> sources;
  for (StateId s : g.sources) {
    const PointId p = g.states[s].point;
    auto& [any_arrives, any_strands] = sources[g.points[p].here];
    any_arrives |= arrives[p] != 0;
    any_strands |= strands[p] != 0;
  }
  for (const auto& [source, outcome] : sources) {
    ++checks.pairs;
    const RouteChecks::Pair pair{source, g.destination};
    if (!outcome.first) {
      ++checks.without_route;
      if (checks.without_route_examples.size() < RouteChecks::kExamples)
        checks.without_route_examples.push_back(pair);
    } else if (outcome.second) {
      ++checks.can_strand;
      if (checks.can_strand_examples.size() < RouteChecks::kExamples)
        checks.can_strand_examples.push_back(pair);
    }
  }
  if (checks.livelock.empty()) {
    checks.livelock = find_cycle(g);
    if (!checks.livelock.empty()) checks.livelock_destination = g.destination;
  }
}

}  // namespace flitmend
