// SPDX-License-Identifier: Apache-2.0
#include "analysis/task_mapping/link_loads.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace flitmend {
namespace {

/// A head that requests a route.
struct Head {
  RouterId here = 0;
  PortId arrival_port = RouteRequest::kInjected;
  std::uint8_t arrival_vc = 0;
  std::uint64_t state = 0;
  auto operator<=>(const Head&) const = default;
};
using Loads = std::map<Head, double>;

class LoadCounter {
 public:
  LoadCounter(const RoutingFunction& routing, unsigned virtual_channels)
      : routing_(routing), vcs_(virtual_channels), storage_(routing.max_candidates()) {}

  void add(NodeId from, NodeId to, double weight) {
    const std::vector<std::uint64_t> states = routing_.initial_states(from, to);
    Loads heads;
    for (const std::uint64_t state : states)
      heads[{.here = from, .state = state}] += weight / static_cast<double>(states.size());
    // Every route ends: what remains after this many steps goes round in circles, which a check would refuse.
    for (std::uint64_t left = std::uint64_t{4} * routing_.topology().router_count() + 4;
         left > 0 && !heads.empty(); --left) {
      Loads next;
      for (const auto& [head, load] : heads) step(head, from, to, load, next);
      heads = std::move(next);
    }
  }
  std::vector<LinkLoad> loads() const {
    std::vector<LinkLoad> all;
    for (const auto& [channel, load] : loads_) all.push_back({{channel.first, channel.second}, load});
    return all;
  }

 private:
  void step(const Head& head, NodeId from, NodeId to, double load, Loads& next) {
    CandidateList list(storage_.data(), static_cast<unsigned>(storage_.size()));
    RandomStream random(1, RandomPurpose::routing, head.here);
    routing_.route({.here = head.here,
                    .source = from,
                    .destination = to,
                    .arrival_port = head.arrival_port,
                    .arrival_vc = head.arrival_vc,
                    .head_state = head.state,
                    .ports = nullptr,
                    .random = &random},
                   list);
    if (list.empty()) return;
    const auto by_preference = [](const RouteCandidate& a, const RouteCandidate& b) {
      return a.preference < b.preference;
    };
    const std::uint8_t first = std::min_element(list.begin(), list.end(), by_preference)->preference;
    std::vector<RouteCandidate> ports;  // the first candidate of each
    for (const RouteCandidate& c : list)
      if (c.preference == first && std::ranges::find(ports, c.port, &RouteCandidate::port) == ports.end())
        ports.push_back(c);
    const double share = load / static_cast<double>(ports.size());
    for (const RouteCandidate& c : ports) {
      if (c.port == routing_.local_port(head.here)) {
        if (head.here != to) next[{.here = head.here, .state = c.head_state}] += share;
        continue;
      }
      loads_[{head.here, c.port}] += share;
      const RouterPort far = routing_.topology().neighbour(head.here, c.port).value();
      const VcMask vcs = routing_.class_vcs(head.here, c.port, c.vc_class) &
                         (vcs_ == kMaxVirtualChannels ? ~VcMask{0} : (VcMask{1} << vcs_) - 1);
      next[{.here = far.router,
            .arrival_port = far.port,
            .arrival_vc = static_cast<std::uint8_t>(vcs ? std::countr_zero(vcs) : 0),
            .state = c.head_state}] += share;
    }
  }

  const RoutingFunction& routing_;
  unsigned vcs_;
  std::vector<RouteCandidate> storage_;
  std::map<std::pair<RouterId, PortId>, double> loads_;
};

}  // namespace

std::vector<LinkLoad> link_loads(const MappingProblem& problem, const TaskPlaces& places,
                                 const RoutingFunction& routing, unsigned virtual_channels) {
  LoadCounter counter(routing, virtual_channels);
  for (const TaskTraffic& traffic : problem.traffic)
    if (places[traffic.from] != places[traffic.to])
      counter.add(places[traffic.from], places[traffic.to], traffic.weight);
  return counter.loads();
}

}  // namespace flitmend
