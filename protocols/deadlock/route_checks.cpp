// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/route_checks.h"

#include <algorithm>

namespace flitmend {
namespace {

// A message is absorbed at most kMostAbsorptions times: it does not circulate forever through an
// interface.
std::vector<ChannelId> endless_cycle(const StateGraph& g, const PointOrder& order) {
  if (std::none_of(g.edges.begin(), g.edges.end(),
                   [](const StateGraph::Edge& e) { return e.channel == kNoChannel; }))
    return order.cycle();
  PointOrder without_absorptions;
  without_absorptions.find(g, false);
  return without_absorptions.cycle();
}

}  // namespace

void add_route_checks(const StateGraph& g, const PointOrder& order, bool randomised, RouteChecks& checks) {
  std::vector<char> arrives(g.points.size()), strands(g.points.size());
  order.until_stable([&](PointId p) {
    const bool arrived = arrives[p], stranded = strands[p];
    arrives[p] |= g.points[p].consumed && g.at_destination(p);
    strands[p] |= !g.points[p].consumed && g.points[p].edge_count == 0;
    for (const StateGraph::Edge& e : g.edges_of(p)) {
      arrives[p] |= arrives[g.states[e.next].point];
      strands[p] |= strands[g.states[e.next].point];
    }
    return arrived != arrives[p] || stranded != strands[p];
  });
  // A node may start with several h: it has a route if one of them has, and can strand if one of them can.
  for (std::size_t i = 0; i < g.sources.size();) {
    const NodeId source = g.points[g.states[g.sources[i]].point].here;
    bool any_arrives = false, any_strands = false;
    for (; i < g.sources.size(); ++i) {
      const PointId p = g.states[g.sources[i]].point;
      if (g.points[p].here != source) break;
      any_arrives |= arrives[p] != 0;
      any_strands |= strands[p] != 0;
    }
    ++checks.pairs;
    const RouteChecks::Pair pair{source, g.destination};
    if (!any_arrives) {
      ++checks.without_route;
      if (checks.without_route_examples.size() < RouteChecks::kExamples)
        checks.without_route_examples.push_back(pair);
    } else if (any_strands) {
      ++checks.can_strand;
      if (checks.can_strand_examples.size() < RouteChecks::kExamples)
        checks.can_strand_examples.push_back(pair);
    }
  }
  bool trapped = false;
  for (PointId p = 0; p < g.points.size(); ++p) trapped |= !arrives[p] && !strands[p];
  if (checks.livelock.empty() && (trapped || !randomised)) {
    checks.livelock = endless_cycle(g, order);
    if (!checks.livelock.empty()) checks.livelock_destination = g.destination;
  }
}

void RouteChecks::add(const RouteChecks& later) {
  const auto append = [](std::vector<Pair>& to, const std::vector<Pair>& from) {
    to.insert(to.end(), from.begin(),
              from.begin() + static_cast<std::ptrdiff_t>(std::min(from.size(), kExamples - to.size())));
  };
  pairs += later.pairs;
  without_route += later.without_route;
  can_strand += later.can_strand;
  append(without_route_examples, later.without_route_examples);
  append(can_strand_examples, later.can_strand_examples);
  if (livelock.empty()) {
    livelock = later.livelock;
    livelock_destination = later.livelock_destination;
  }
}

}  // namespace flitmend
