// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/class_graph.h"

#include <algorithm>

#include "base/errors.h"
#include "base/random_stream.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// The candidates of a head in a network without faults; where it comes from does not matter.
std::vector<RouteCandidate> candidates_of(const RoutingFunction& routing, RouterId here, NodeId destination,
                                          std::uint64_t h) {
  std::vector<RouteCandidate> found(routing.max_candidates());
  CandidateList list(found.data(), routing.max_candidates());
  routing.route({here, 0, destination, RouteRequest::kInjected, 0, h, nullptr, nullptr}, list);
  if (list.overflowed())
    throw ContractError("a routing function returned more candidates than its declared limit");
  found.resize(list.size());
  return found;
}

/// Of the class of a destination at a router.
std::vector<NodeId> representatives(const DestinationClasses& classes, RouterId here, NodeId destination) {
  std::vector<NodeId> nodes;
  classes.add_representatives(here, nodes);
  const std::uint64_t wanted = classes.destination_class(here, destination);
  std::erase_if(nodes, [&](NodeId node) { return classes.destination_class(here, node) != wanted; });
  return nodes;
}

/// At a typical one.
std::size_t classes_at_one_router(const RoutingFunction& routing, const DestinationClasses& classes) {
  std::vector<NodeId> nodes;
  classes.add_representatives(routing.topology().node_count() / 2, nodes);
  return nodes.size();
}

}  // namespace

std::string class_contradiction(const RoutingFunction& routing, const DestinationClasses& classes,
                                NodeId source, NodeId destination, RandomStream& random) {
  const auto at = [&](RouterId here, const char* what) {
    const Topology& topology = routing.topology();
    return "destination " + topology.router_name(destination) + " at " + topology.router_name(here) + ": " +
           what;
  };
  const auto no_like = [&](RouterId here) { return at(here, "its class has no representative"); };
  std::vector<NodeId> like = representatives(classes, source, destination);
  if (like.empty()) return no_like(source);
  const std::vector<std::uint64_t> starts = routing.initial_states(source, destination);
  if (routing.initial_states(source, like.front()) != starts)
    return at(source, "other initial states than its class");
  std::uint64_t h = starts[random.below(static_cast<std::uint32_t>(starts.size()))];
  for (RouterId here = source; here != destination;) {
    const auto candidates = candidates_of(routing, here, destination, h);
    if (candidates_of(routing, here, like.front(), h) != candidates)
      return at(here, "other candidates than its class");
    if (candidates.empty()) return {};
    const RouteCandidate& taken = candidates[random.below(static_cast<std::uint32_t>(candidates.size()))];
    const auto far = routing.topology().neighbour(here, taken.port);
    if (!far) return {};  // absorbed
    like = representatives(classes, far->router, destination);
    if (like.empty()) return no_like(far->router);
    if (std::ranges::none_of(like, [&](NodeId node) {
          return classes.destination_class(here, node) == classes.destination_class(here, destination);
        }))
      return at(here, "another class than those that represent it one hop on");
    here = far->router;
    h = taken.head_state;
  }
  return {};
}

const DestinationClasses* few_classes(const RoutingFunction& routing) {
  const DestinationClasses* const classes = destination_classes(routing);
  if (!classes) return nullptr;
  return classes_at_one_router(routing, *classes) < routing.topology().node_count() ? classes : nullptr;
}

std::uint64_t ClassGraph::bytes_for(const RoutingFunction& routing, const DestinationClasses& classes) {
  constexpr std::uint64_t kBytesPerClass = 400;
  return kBytesPerClass * routing.topology().router_count() * classes_at_one_router(routing, classes);
}

ClassGraph::ClassGraph(const RoutingFunction& routing, const DestinationClasses& classes,
                       const ChannelMap& channels, SurveyListener* listener)
    : routing_(routing), classes_(classes), channels_(channels), scratch_(routing.max_candidates()) {
  constexpr unsigned kSamples = 64;
  const NodeId nodes = routing.topology().node_count();
  RandomStream random(1, RandomPurpose::analysis);
  for (unsigned i = 0; i < kSamples; ++i)
    if (const auto wrong =
            class_contradiction(routing, classes, random.below(nodes), random.below(nodes), random);
        !wrong.empty())
      throw ContractError("the classes of destinations that a routing function declares are not its own: " +
                          wrong);
  find_classes();
  SurveyProgress progress(listener, routing.topology().router_count());
  PointId expanded = 0;
  for (RouterId r = 0; r < routing.topology().router_count(); ++r) {
    if (!routing.topology().is_switch(r)) add_sources(r);
    for (; expanded < graph_.points.size(); ++expanded) expand(expanded);
    progress.add(1);
  }
}

void ClassGraph::find_classes() {
  const Topology& topology = routing_.topology();
  const RouterId routers = topology.router_count();
  std::vector<std::uint64_t> numbers;  // by representative
  const auto find = [&](RouterId r, std::uint64_t number) {
    ClassId c = first_class_[r];
    while (c < numbers.size() && c < first_class_[r + 1] && numbers[c] != number) ++c;
    return c < first_class_[r + 1] ? c : kNone;
  };
  for (RouterId r = 0; r < routers; ++r) {
    first_class_.push_back(static_cast<ClassId>(representatives_.size()));
    classes_.add_representatives(r, representatives_);
  }
  first_class_.push_back(static_cast<ClassId>(representatives_.size()));
  first_of_class_.assign(representatives_.size(), kNone);
  for (RouterId r = 0; r < routers; ++r)
    for (ClassId c = first_class_[r]; c < first_class_[r + 1]; ++c) {
      numbers.push_back(classes_.destination_class(r, representatives_[c]));
      first_like_.push_back(find(r, numbers.back()));
    }
  for (RouterId r = 0; r < routers; ++r) {
    first_port_.push_back(first_before_.size());
    for (PortId port = 0; port < topology.port_count(r); ++port) {
      first_before_.push_back(before_.size());
      if (const auto far = topology.neighbour(r, port))
        for (ClassId c = first_class_[far->router]; c < first_class_[far->router + 1]; ++c)
          before_.push_back(find(r, classes_.destination_class(r, representatives_[c])));
    }
  }
}

void ClassGraph::add_sources(RouterId here) {
  for (ClassId c = first_class_[here]; c < first_class_[here + 1]; ++c)
    if (first_like_[c] == c && representatives_[c] != here)
      for (const std::uint64_t h : routing_.initial_states(here, representatives_[c])) point_at(c, here, h);
}

PointId ClassGraph::point_at(ClassId c, RouterId here, std::uint64_t h) {
  for (PointId p = first_of_class_[c]; p != kNone; p = next_of_class_[p])
    if (h_of_[p] == h) return p;
  const auto point = static_cast<PointId>(graph_.points.size());
  graph_.points.push_back({here, false, 0, 0});
  class_of_.push_back(c);
  h_of_.push_back(h);
  next_of_class_.push_back(first_of_class_[c]);
  first_of_class_[c] = point;
  first_arrival_.push_back(kNone);
  return point;
}

StateId ClassGraph::state_at(ChannelId arrival, PointId point) {
  for (StateId s = first_arrival_[point]; s != kNone; s = next_arrival_[s])
    if (graph_.states[s].arrival == arrival) return s;
  const auto state = static_cast<StateId>(graph_.states.size());
  graph_.states.push_back({arrival, point, h_of_[point]});
  next_arrival_.push_back(first_arrival_[point]);
  first_arrival_[point] = state;
  return state;
}

void ClassGraph::expand(PointId p) {
  const RouterId here = graph_.points[p].here;
  const ClassId mine = class_of_[p];
  const NodeId destination = representatives_[mine];
  CandidateList list(scratch_.data(), static_cast<unsigned>(scratch_.size()));
  routing_.route({here, 0, destination, RouteRequest::kInjected, 0, h_of_[p], nullptr, nullptr}, list);
  if (list.overflowed())
    throw ContractError("a routing function returned more candidates than its declared limit");
  const std::size_t first_edge = graph_.edges.size();
  for (const RouteCandidate& candidate : list) {
    if (candidate.port == routing_.local_port(here)) {
      graph_.points[p].consumed = true;
      absorbs_ |= here != destination;
      continue;
    }
    const auto far = routing_.topology().neighbour(here, candidate.port);
    const std::size_t before = first_before_[first_port_[here] + candidate.port];
    for (const ChannelId channel : channels_.of_class(here, candidate.port, candidate.vc_class)) {
      const ClassId first = first_class_[far->router], end = first_class_[far->router + 1];
      for (ClassId c = first; c < end; ++c) {
        if (before_[before + (c - first)] != mine) continue;
        const PointId point = point_at(first_like_[c], far->router, candidate.head_state);
        graph_.edges.push_back({channel, state_at(channel, point), candidate.escape});
      }
    }
  }
  graph_.points[p].first_edge = static_cast<std::uint32_t>(first_edge);
  graph_.points[p].edge_count = static_cast<std::uint32_t>(graph_.edges.size() - first_edge);
}

bool ClassGraph::all_arrive(const PointOrder& order) const {
  return !absorbs_ && !order.returns() &&
         std::none_of(graph_.points.begin(), graph_.points.end(),
                      [](const StateGraph::Point& p) { return !p.consumed && p.edge_count == 0; });
}

}  // namespace flitmend
