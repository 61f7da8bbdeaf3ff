// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/route_table.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kUnknown = ~0u;

}  // namespace

void RouteTable::check_size(const Topology& t) {
  if (t.router_count() > kMostRouters)
    throw KeyError(
        "routing.algorithm",
        formatted("table is for at most %1% routers, and this network has %2%; use another algorithm",
                  kMostRouters, t.router_count()),
        {"network.size"});
}

RouteTable::RouteTable(const Topology& topology, std::vector<Line> lines, unsigned classes)
    : routers_(topology.router_count()),
      first_(std::size_t{topology.node_count()} * routers_ + 1),
      classes_(classes) {
  const auto slot = [&](const Line& l) { return std::size_t{l.destination} * routers_ + l.router; };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Line& a, const Line& b) { return slot(a) < slot(b); });
  for (const Line& l : lines) ++first_[slot(l) + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) {
    most_ = std::max(most_, first_[i]);
    first_[i] += first_[i - 1];
  }
  for (const Line& l : lines) hops_.push_back(l.hop);
}

// Dijkstra's algorithm, from the destination against the channels.
RouteTable RouteTable::shortest_paths(const Topology& topology, const Metric& metric) {
  check_size(topology);
  using Reached = std::pair<std::uint32_t, RouterId>;  // distance and router
  std::vector<Line> lines;
  for (NodeId d = 0; d < topology.node_count(); ++d) {
    std::vector<std::uint32_t> left(topology.router_count(), kUnknown);
    // f(port, far router, length), for the channels out of a router
    const auto for_each_channel = [&](RouterId r, auto&& f) {
      for (PortId p = 0; p < topology.port_count(r); ++p)
        if (topology.carries_flits(r, p))
          f(p, topology.neighbour(r, p)->router, metric.length(topology, r, p));
    };
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> reached;
    reached.push({left[d] = 0, d});
    while (!reached.empty()) {
      const auto [length, here] = reached.top();
      reached.pop();
      if (length > left[here]) continue;
      for (PortId p = 0; p < topology.port_count(here); ++p) {
        const auto far = topology.neighbour(here, p);
        if (!far || !topology.carries_flits(far->router, far->port)) continue;
        const std::uint32_t path = length + metric.length(topology, far->router, far->port);
        if (path < left[far->router]) reached.push({left[far->router] = path, far->router});
      }
    }
    for (RouterId r = 0; r < topology.router_count(); ++r) {
      bool found = r == d;
      for_each_channel(r, [&](PortId p, RouterId far, std::uint32_t hop) {
        if (left[far] == kUnknown) return;
        if (!found && left[far] + hop == left[r]) lines.push_back({r, d, {p, 0, false}});
        found = found || left[far] + hop == left[r];
      });
    }
  }
  return RouteTable(topology, std::move(lines), 1);
}

// The longest path, by depth-first search from each source. A router that is met again closes a cycle.
std::uint32_t RouteTable::greatest_detour(const Topology& topology) const {
  struct Step {
    RouterId at;
    std::size_t next = 0;  ///< the first hop that has not been followed
  };
  constexpr std::uint32_t kOnTheWay = kUnknown - 1;
  std::uint32_t most = 0;
  for (NodeId d = 0; d < topology.node_count(); ++d) {
    std::vector<std::uint32_t> hops_left(routers_, kUnknown), longest(routers_);
    for (NodeId source = 0; source < topology.node_count(); ++source) {
      std::vector<Step> way;
      if (hops_left[source] == kUnknown) way.push_back({source});
      while (!way.empty()) {
        Step& step = way.back();
        const auto all = hops(step.at, d);
        hops_left[step.at] = kOnTheWay;
        if (step.next == all.size()) {
          hops_left[step.at] = longest[step.at];
          way.pop_back();
          continue;
        }
        const RouterId far = topology.neighbour(step.at, all[step.next].port)->router;
        if (hops_left[far] == kOnTheWay) return routers_;
        if (hops_left[far] == kUnknown) {
          way.push_back({far});
        } else {
          longest[step.at] = std::max(longest[step.at], hops_left[far] + 1);
          ++step.next;
        }
      }
      most = std::max(most, hops_left[source] - std::min(hops_left[source], topology.distance(source, d)));
    }
  }
  return most;
}

}  // namespace flitmend
