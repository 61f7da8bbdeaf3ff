// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/state_graph.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kNoState = ~std::uint32_t{0};

}  // namespace

StateExplorer::StateExplorer(const RoutingFunction& routing, const ChannelMap& channels,
                             const FaultSet* faults, std::size_t most_states, const FaultSet* uncrossed)
    : routing_(routing),
      channels_(channels),
      faults_(faults && faults->count() ? faults : nullptr),
      most_states_(most_states),
      uncrossed_(uncrossed),
      first_of_slot_(channels.size() + routing.topology().node_count(), kNoState),
      looks_at_arrival_(routing.looks_at_arrival()),
      first_known_(routing.topology().router_count(), kNoState),
      first_of_router_(routing.topology().router_count(), kNoState),
      scratch_(routing.max_candidates()) {}

const StateGraph& StateExplorer::explore(NodeId destination, std::optional<NodeId> only_source) {
  begin(destination, only_source);
  return expand_all();
}

const StateGraph& StateExplorer::explore(NodeId destination, std::span<const StateGraph::State> heads) {
  begin(destination, std::nullopt);
  for (const StateGraph::State& head : heads) {
    if (head.arrival == kNoChannel) continue;
    const RouterId here = channels_.far_end(head.arrival).router;
    if (!faults_ || !faults_->router_faulty(here)) state_at(head.arrival, here, head.h);
  }
  return expand_all();
}

const StateGraph& StateExplorer::expand_all() {
  for (PointId p = 0; p < graph_.points.size() && complete(); ++p) expand(p);
  return graph_;
}

void StateExplorer::begin(NodeId destination, std::optional<NodeId> only_source) {
  const Topology& topology = routing_.topology();
  std::fill(first_of_slot_.begin(), first_of_slot_.end(), kNoState);
  std::fill(first_of_router_.begin(), first_of_router_.end(), kNoState);
  std::fill(first_known_.begin(), first_known_.end(), kNoState);
  known_.clear();
  next_in_slot_.clear();
  next_of_router_.clear();
  point_candidates_.clear();
  first_candidate_.assign(1, 0);
  graph_.destination = destination;
  graph_.states.clear();
  graph_.points.clear();
  graph_.edges.clear();
  graph_.sources.clear();
  if (!alive(destination)) return;
  for (NodeId source = 0; source < topology.node_count(); ++source) {
    if (source == destination || !alive(source) || source != only_source.value_or(source)) continue;
    for (std::uint64_t h : routing_.initial_states(source, destination))
      graph_.sources.push_back(state_at(kNoChannel, source, h));
  }
}

StateId StateExplorer::state_at(ChannelId arrival, RouterId here, std::uint64_t h) {
  const std::size_t slot = arrival == kNoChannel ? channels_.size() + here : arrival;
  for (StateId s = first_of_slot_[slot]; s != kNoState; s = next_in_slot_[s])
    if (graph_.states[s].h == h) return s;
  const PointId point = point_of(arrival, here, h);
  const auto state = static_cast<StateId>(graph_.states.size());
  graph_.states.push_back({arrival, point, h});
  next_in_slot_.push_back(first_of_slot_[slot]);
  first_of_slot_[slot] = state;
  return state;
}

PointId StateExplorer::point_of(ChannelId arrival, RouterId here, std::uint64_t h) {
  if (!looks_at_arrival_)
    for (std::uint32_t i = first_known_[here]; i != kNoState; i = known_[i].next)
      if (known_[i].h == h) return known_[i].point;
  RouteRequest request{here, 0, graph_.destination, RouteRequest::kInjected, 0, h, nullptr, nullptr};
  if (arrival != kNoChannel) {
    request.arrival_port = channels_.far_end(arrival).port;
    request.arrival_vc = static_cast<std::uint8_t>(std::countr_zero(channels_[arrival].vcs));
  }
  CandidateList list(scratch_.data(), static_cast<unsigned>(scratch_.size()));
  if (faults_) {
    const PortsOfRouter ports(*faults_, here);
    request.ports = &ports;
    routing_.route(request, list);
  } else {
    routing_.route(request, list);
  }
  if (list.overflowed())
    throw ContractError("a routing function returned more candidates than its declared limit");
  scratch_size_ = list.size();
  const PointId point = point_with_candidates(here);
  if (!looks_at_arrival_) {
    known_.push_back({h, point, first_known_[here]});
    first_known_[here] = static_cast<std::uint32_t>(known_.size() - 1);
  }
  return point;
}

PointId StateExplorer::point_with_candidates(RouterId here) {
  const auto wanted = std::span(scratch_.data(), scratch_size_);
  for (PointId p = first_of_router_[here]; p != kNoState; p = next_of_router_[p])
    if (std::equal(wanted.begin(), wanted.end(),
                   point_candidates_.begin() + static_cast<std::ptrdiff_t>(first_candidate_[p]),
                   point_candidates_.begin() + static_cast<std::ptrdiff_t>(first_candidate_[p + 1])))
      return p;
  const auto point = static_cast<PointId>(graph_.points.size());
  graph_.points.push_back({here, false, 0, 0});
  point_candidates_.insert(point_candidates_.end(), wanted.begin(), wanted.end());
  first_candidate_.push_back(point_candidates_.size());
  next_of_router_.push_back(first_of_router_[here]);
  first_of_router_[here] = point;
  return point;
}

void StateExplorer::expand(PointId p) {
  const RouterId here = graph_.points[p].here;
  new_edges_.clear();
  for (std::size_t i = first_candidate_[p]; i < first_candidate_[p + 1]; ++i) {
    const RouteCandidate c = point_candidates_[i];
    if (c.port == routing_.local_port(here)) {
      graph_.points[p].consumed = true;
      if (here != graph_.destination)
        new_edges_.push_back({kNoChannel, state_at(kNoChannel, here, c.head_state), false});
      continue;
    }
    if (faults_ && faults_->blocked(here, c.port)) continue;
    if (uncrossed_ && uncrossed_->blocked(here, c.port)) continue;
    for (ChannelId channel : channels_.of_class(here, c.port, c.vc_class))
      new_edges_.push_back(
          {channel, state_at(channel, channels_.far_end(channel).router, c.head_state), c.escape});
  }
  graph_.points[p].first_edge = static_cast<std::uint32_t>(graph_.edges.size());
  graph_.points[p].edge_count = static_cast<std::uint32_t>(new_edges_.size());
  graph_.edges.insert(graph_.edges.end(), new_edges_.begin(), new_edges_.end());
}

void PointOrder::find(const StateGraph& g, bool absorptions) {
  enum : char { unseen, open, left };
  points_.clear();
  cycle_.clear();
  returns_ = false;
  mark_.assign(g.points.size(), unseen);
  const auto enter = [&](PointId p) {
    mark_[p] = open;
    frames_.push_back({p, 0});
  };
  for (PointId root = 0; root < g.points.size(); ++root) {
    if (mark_[root] != unseen) continue;
    enter(root);
    while (!frames_.empty()) {
      const PointId p = frames_.back().point;
      const auto edges = g.edges_of(p);
      if (frames_.back().next == edges.size()) {
        mark_[p] = left;
        points_.push_back(p);
        frames_.pop_back();
        continue;
      }
      const StateGraph::Edge& edge = edges[frames_.back().next++];
      if (edge.channel == kNoChannel && !absorptions) continue;
      const PointId q = g.states[edge.next].point;
      if (mark_[q] == unseen) {
        enter(q);
      } else if (mark_[q] == open) {
        if (!returns_) note_cycle(g, q);
        returns_ = true;
      }
    }
  }
}

void PointOrder::note_cycle(const StateGraph& g, PointId back_to) {
  auto frame =
      std::find_if(frames_.begin(), frames_.end(), [&](const Frame& f) { return f.point == back_to; });
  for (; frame != frames_.end(); ++frame)
    if (const ChannelId c = g.edges_of(frame->point)[frame->next - 1].channel; c != kNoChannel)
      cycle_.push_back(c);
}

}  // namespace flitmend
