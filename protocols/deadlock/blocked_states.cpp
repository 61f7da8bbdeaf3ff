// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/blocked_states.h"

#include <algorithm>

#include "base/backward_reach.h"

namespace flitmend {
namespace {

/// Marks everything as blocked that cannot leave the network at its current router.
WaitFixpoint all_blocked(const std::vector<StateGraph>& graphs, const ChannelMap& channels) {
  WaitFixpoint f;
  f.covered.resize(channels.size());
  for (const StateGraph& g : graphs) {
    auto& blocked = f.blocked.emplace_back(g.points.size());
    for (PointId p = 0; p < g.points.size(); ++p) blocked[p] = !g.points[p].consumed;
  }
  return f;
}

void count_states(const std::vector<StateGraph>& graphs, WaitFixpoint& f) {
  f.states = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (const StateGraph::State& s : graphs[i].states)
      f.states += s.arrival != kNoChannel && f.blocked[i][s.point];
}

/// Removes points with a candidate that is not covered; false if there was none.
bool drop_uncovered(const std::vector<StateGraph>& graphs, WaitFixpoint& f, SurveyListener* listener) {
  bool dropped = false;
  SurveyProgress progress(listener, graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (PointId p = 0; p < graphs[i].points.size(); ++p) {
      if (!f.blocked[i][p]) continue;
      const auto edges = graphs[i].edges_of(p);
      if (std::all_of(edges.begin(), edges.end(),
                      [&](const StateGraph::Edge& e) { return f.covered[e.channel]; }))
        continue;
      f.blocked[i][p] = false;
      dropped = true;
    }
    progress.add(1);
  }
  return dropped;
}

/// Marks the points from which a blocked point can be reached, including itself.
std::vector<char> reaching(const StateGraph& g, const std::vector<char>& blocked, BackwardReach& reach) {
  std::vector<char> reaches = blocked;
  reach.reset(g.points.size());
  for (PointId p = 0; p < g.points.size(); ++p)
    for (const StateGraph::Edge& e : g.edges_of(p))
      if (e.channel != kNoChannel) reach.add_edge(p, g.states[e.next].point);
  reach.mark(reaches);
  return reaches;
}

}  // namespace

std::vector<StateGraph> all_state_graphs(const RoutingFunction& routing, const ChannelMap& channels,
                                         const FaultSet* faults, SurveyListener* listener) {
  StateExplorer explorer(routing, channels, faults);
  std::vector<StateGraph> graphs;
  const NodeId nodes = routing.topology().node_count();
  SurveyProgress progress(listener, nodes);
  for (NodeId d = 0; d < nodes; ++d) {
    graphs.push_back(explorer.explore(d));
    progress.add(1);
  }
  return graphs;
}

WaitFixpoint cut_through_fixpoint(const std::vector<StateGraph>& graphs, const ChannelMap& channels,
                                  SurveyListener* listener) {
  WaitFixpoint f = all_blocked(graphs, channels);
  // Blocked messages that hold a channel, and the points that want that channel.
  struct GraphState {
    std::uint32_t graph;
    PointId point;
  };
  std::vector<std::uint32_t> holders(channels.size());
  std::vector<std::vector<GraphState>> wanted_by(channels.size());
  std::vector<std::vector<std::vector<ChannelId>>> held(graphs.size());
  std::vector<ChannelId> uncovered;
  SurveyProgress destinations(listener, graphs.size());
  for (std::uint32_t i = 0; i < graphs.size(); ++i) {
    held[i].resize(graphs[i].points.size());
    for (const StateGraph::State& s : graphs[i].states)
      if (s.arrival != kNoChannel && f.blocked[i][s.point]) {
        ++holders[s.arrival];
        held[i][s.point].push_back(s.arrival);
      }
    for (PointId p = 0; p < graphs[i].points.size(); ++p)
      for (const StateGraph::Edge& e : graphs[i].edges_of(p))
        if (f.blocked[i][p]) wanted_by[e.channel].push_back({i, p});
    destinations.add(1);
  }
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (holders[c] == 0) uncovered.push_back(c);
  SurveyProgress progress(listener, channels.size());
  while (!uncovered.empty()) {
    const ChannelId c = uncovered.back();
    uncovered.pop_back();
    progress.add(1);
    for (const GraphState& place : wanted_by[c]) {
      if (!f.blocked[place.graph][place.point]) continue;
      f.blocked[place.graph][place.point] = false;
      for (ChannelId free : held[place.graph][place.point])
        if (--holders[free] == 0) uncovered.push_back(free);
    }
  }
  for (ChannelId c = 0; c < channels.size(); ++c) f.covered[c] = holders[c] != 0;
  count_states(graphs, f);
  return f;
}

WaitFixpoint wormhole_fixpoint(const std::vector<StateGraph>& graphs, const ChannelMap& channels,
                               SurveyListener* listener) {
  WaitFixpoint f = all_blocked(graphs, channels);
  BackwardReach reach;
  do {
    SurveyProgress progress(listener, graphs.size());
    std::fill(f.covered.begin(), f.covered.end(), 0);
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      const std::vector<char> reaches = reaching(graphs[i], f.blocked[i], reach);
      for (const StateGraph::State& s : graphs[i].states)
        if (s.arrival != kNoChannel && reaches[s.point]) f.covered[s.arrival] = true;
      progress.add(1);
    }
  } while (drop_uncovered(graphs, f, listener));
  count_states(graphs, f);
  return f;
}

std::vector<BlockedMessage> deadlocked_configuration(const std::vector<StateGraph>& graphs,
                                                     const ChannelMap& channels, const WaitFixpoint& fixpoint,
                                                     SurveyListener* listener) {
  // For every covered channel, the blocked message that waits for the fewest others.
  struct Holder {
    std::uint32_t graph;
    PointId point;
    std::size_t wants;
  };
  constexpr std::size_t kNobody = ~std::size_t{0};
  std::vector<Holder> holder(channels.size(), Holder{0, 0, kNobody});
  for (std::uint32_t i = 0; i < graphs.size(); ++i)
    for (const StateGraph::State& s : graphs[i].states) {
      if (s.arrival == kNoChannel || !fixpoint.blocked[i][s.point]) continue;
      const std::size_t wants = graphs[i].edges_of(s.point).size();
      if (wants < holder[s.arrival].wants) holder[s.arrival] = {i, s.point, wants};
    }
  // From each of them, everything that must be held as well; keep the smallest such set.
  std::vector<ChannelId> best;
  std::vector<std::uint32_t> stamp(channels.size(), ~std::uint32_t{0});
  SurveyProgress progress(listener, channels.size());
  for (ChannelId start = 0; start < channels.size(); ++start) {
    progress.add(1);
    if (holder[start].wants == kNobody) continue;
    std::vector<ChannelId> held = {start};
    stamp[start] = start;
    for (std::size_t i = 0; i < held.size() && (best.empty() || held.size() < best.size()); ++i) {
      const Holder& h = holder[held[i]];
      for (const StateGraph::Edge& e : graphs[h.graph].edges_of(h.point))
        if (stamp[e.channel] != start) {
          stamp[e.channel] = start;
          held.push_back(e.channel);
        }
    }
    if (best.empty() || held.size() < best.size()) best = std::move(held);
  }
  std::vector<BlockedMessage> messages;
  for (ChannelId c : best) {
    BlockedMessage m{graphs[holder[c].graph].destination, {c}, {}};
    for (const StateGraph::Edge& e : graphs[holder[c].graph].edges_of(holder[c].point))
      m.wants.push_back(e.channel);
    messages.push_back(std::move(m));
  }
  return messages;
}

}  // namespace flitmend
