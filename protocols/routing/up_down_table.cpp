// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/up_down_table.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Reached = std::pair<std::uint32_t, std::uint32_t>;  // distance, and a router or a state
using Frontier = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

}  // namespace

void UpDownTable::update(const FaultSet& faults) {
  const RouterId routers = faults.topology().router_count();
  rank_routers(faults);
  distance_.assign(std::size_t{routers} * routers * 2, kNone);
  for (RouterId to = 0; to < routers; ++to)
    if (!faults.router_faulty(to)) measure(faults, to);
}

// Dijkstra's algorithm over links that are healthy in both directions. Where that does not reach all healthy
// routers, it starts again from the lowest of the others.
void UpDownTable::rank_routers(const FaultSet& faults) {
  const Topology& topology = faults.topology();
  const RouterId routers = topology.router_count();
  std::vector<std::uint32_t> level(routers, kNone);
  std::vector<RouterId> order;
  std::uint32_t next = 0;  // a level above all before
  Frontier reached;
  for (RouterId start = 0; start < routers; ++start) {
    if (level[start] != kNone || faults.router_faulty(start)) continue;
    reached.push({level[start] = next, start});
    while (!reached.empty()) {
      const auto [distance, here] = reached.top();
      reached.pop();
      if (distance > level[here]) continue;
      order.push_back(here);
      next = distance + 1;
      for (PortId port = 0; port < topology.port_count(here); ++port) {
        if (faults.blocked(here, port)) continue;
        const RouterPort far = *topology.neighbour(here, port);
        const std::uint32_t beyond = distance + metric_.length(topology, here, port);
        if (beyond >= level[far.router] || faults.blocked(far.router, far.port)) continue;
        reached.push({level[far.router] = beyond, far.router});
      }
    }
  }
  std::sort(order.begin(), order.end(),
            [&](RouterId a, RouterId b) { return level[a] != level[b] ? level[a] < level[b] : a < b; });
  rank_.assign(routers, kNone);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) rank_[order[rank]] = rank;
}

// From the destination backwards. A message that arrives by a hop down has gone down; one that arrives by a
// hop up has not.
template <class F>
void UpDownTable::for_each_before(const FaultSet& faults, std::uint32_t state, F&& f) const {
  const Topology& topology = faults.topology();
  const RouterId here = state / 2;
  const bool down = state % 2;
  for (PortId port = 0; port < topology.port_count(here); ++port) {
    const auto from = topology.neighbour(here, port);
    if (!from || faults.blocked(from->router, from->port)) continue;
    if (goes_up(from->router, here) == down) continue;
    const std::uint32_t length = metric_.length(topology, from->router, from->port);
    f(2 * from->router, length);
    if (down) f(2 * from->router + 1, length);
  }
}

void UpDownTable::measure_hops(const FaultSet& faults, RouterId to) {
  std::uint32_t* const distance = distance_.data() + std::size_t{to} * rank_.size() * 2;
  todo_ = {2 * to, 2 * to + 1};
  for (std::size_t i = 0; i < todo_.size(); ++i)
    for_each_before(faults, todo_[i], [&](std::uint32_t state, std::uint32_t length) {
      if (distance[state] != kNone) return;
      distance[state] = distance[todo_[i]] + length;
      todo_.push_back(state);
    });
}

void UpDownTable::measure(const FaultSet& faults, RouterId to) {
  std::uint32_t* const distance = distance_.data() + std::size_t{to} * rank_.size() * 2;
  distance[2 * to] = distance[2 * to + 1] = 0;
  if (metric_.is_hops()) {
    measure_hops(faults, to);
    return;
  }
  Frontier reached;
  reached.push({0, 2 * to});
  reached.push({0, 2 * to + 1});
  while (!reached.empty()) {
    const auto [left, state] = reached.top();
    reached.pop();
    if (left > distance[state]) continue;
    for_each_before(faults, state, [&, left = left](std::uint32_t before, std::uint32_t length) {
      if (left + length >= distance[before]) return;
      distance[before] = left + length;
      reached.push({distance[before], before});
    });
  }
}

namespace {

/// The most hops of the shortest paths from every router to one, by their metric.
std::vector<std::uint32_t> most_hops(const UpDownTable& table, const Topology& t, NodeId to) {
  std::vector<std::uint32_t> order, hops(2 * t.router_count());
  for (std::uint32_t state = 0; state < hops.size(); ++state)
    if (table.distance(state / 2, state % 2, to) != UpDownTable::kNone) order.push_back(state);
  std::ranges::sort(order, {}, [&](std::uint32_t state) { return table.distance(state / 2, state % 2, to); });
  for (const std::uint32_t state : order)
    for (PortId port = 0; state / 2 != to && port < t.port_count(state / 2); ++port) {
      const auto far = t.neighbour(state / 2, port);
      if (far && table.leads_on(t, state / 2, state % 2, port, far->router, to))
        hops[state] =
            std::max(hops[state], hops[2 * far->router + !table.goes_up(state / 2, far->router)] + 1);
    }
  return hops;
}

}  // namespace

std::uint32_t greatest_up_down_detour(const Topology& t, const Metric& metric) {
  UpDownTable table(metric);
  table.update(FaultSet(t));
  std::uint32_t most = 0;
  for (NodeId to = 0; to < t.node_count(); ++to) {
    const std::vector<std::uint32_t> hops =
        metric.is_hops() ? std::vector<std::uint32_t>() : most_hops(table, t, to);
    for (NodeId from = 0; from < t.node_count(); ++from)
      most = std::max(
          most, (metric.is_hops() ? table.distance(from, false, to) : hops[2 * from]) - t.distance(from, to));
  }
  return most;
}

namespace {

/// The table takes 4 bytes per pair of routers, and is computed again after every fault.
constexpr RouterId kMostRouters = 4096;

}  // namespace

void FaultNetwork::check_size(const Topology& topology, const char* algorithm) {
  if (topology.router_count() > kMostRouters)
    throw KeyError("routing.algorithm",
                   formatted("%1% has a table for at most %2% routers, and this network has %3%; use duato, "
                             "or a smaller network",
                             algorithm, kMostRouters, topology.router_count()),
                   {"network.size"});
}

FaultNetwork::FaultNetwork(const Topology& topology, const char* algorithm) : topology_(topology) {
  check_size(topology, algorithm);
  table_.update(FaultSet(topology));
}

void FaultNetwork::push(const RouteRequest& request, std::uint8_t vc_class, std::uint8_t preference,
                        CandidateList& out) const {
  const bool down = request.head_state & kHasGoneDown;
  for (PortId port = 0; port < topology_.port_count(request.here); ++port) {
    const auto far = topology_.neighbour(request.here, port);
    if (!far || (request.ports && request.ports->faulty(port))) continue;
    if (!table_.leads_on(topology_, request.here, down, port, far->router, request.destination)) continue;
    out.push({.head_state = kInside | (table_.goes_up(request.here, far->router) ? 0 : kHasGoneDown),
              .port = port,
              .vc_class = vc_class,
              .preference = preference,
              .escape = true});
  }
}

}  // namespace flitmend
