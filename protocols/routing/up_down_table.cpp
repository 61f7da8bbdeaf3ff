// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/up_down_table.h"

#include <algorithm>

namespace flitmend {

void UpDownTable::update(const FaultSet& faults) {
  const RouterId routers = faults.topology().router_count();
  rank_routers(faults);
  distance_.assign(std::size_t{routers} * routers * 2, kNone);
  for (RouterId to = 0; to < routers; ++to)
    if (!faults.router_faulty(to)) measure(faults, to);
}

// Breadth-first search over links that are healthy in both directions. Where that does not reach all healthy
// routers, it starts again from the lowest of the others.
void UpDownTable::rank_routers(const FaultSet& faults) {
  const Topology& topology = faults.topology();
  const RouterId routers = topology.router_count();
  std::vector<std::uint32_t> level(routers, ~0u);
  std::vector<RouterId> order;
  for (RouterId start = 0; start < routers; ++start) {
    if (level[start] != ~0u || faults.router_faulty(start)) continue;
    level[start] = order.empty() ? 0 : level[order.back()] + 1;
    const std::size_t first = order.size();
    order.push_back(start);
    for (std::size_t i = first; i < order.size(); ++i)
      for (PortId port = 0; port < topology.port_count(order[i]); ++port) {
        if (faults.blocked(order[i], port)) continue;
        const RouterPort far = *topology.neighbour(order[i], port);
        if (level[far.router] != ~0u || faults.blocked(far.router, far.port)) continue;
        level[far.router] = level[order[i]] + 1;
        order.push_back(far.router);
      }
  }
  std::sort(order.begin(), order.end(),
            [&](RouterId a, RouterId b) { return level[a] != level[b] ? level[a] < level[b] : a < b; });
  rank_.assign(routers, ~0u);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) rank_[order[rank]] = rank;
}

// From the destination backwards. A message that arrives by a hop down has gone down; one that arrives by a
// hop up has not.
void UpDownTable::measure(const FaultSet& faults, RouterId to) {
  const Topology& topology = faults.topology();
  std::uint16_t* const distance = distance_.data() + std::size_t{to} * rank_.size() * 2;
  todo_ = {2 * to, 2 * to + 1};
  distance[2 * to] = distance[2 * to + 1] = 0;
  for (std::size_t i = 0; i < todo_.size(); ++i) {
    const RouterId here = todo_[i] / 2;
    const bool down = todo_[i] % 2;
    const std::uint16_t next = static_cast<std::uint16_t>(distance[todo_[i]] + 1);
    const auto reach = [&](std::uint32_t state) {
      if (distance[state] != kNone) return;
      distance[state] = next;
      todo_.push_back(state);
    };
    for (PortId port = 0; port < topology.port_count(here); ++port) {
      const auto from = topology.neighbour(here, port);
      if (!from || faults.blocked(from->router, from->port)) continue;
      if (goes_up(from->router, here) == down) continue;
      reach(2 * from->router);
      if (down) reach(2 * from->router + 1);
    }
  }
}

std::uint32_t greatest_up_down_detour(const Topology& t) {
  UpDownTable table;
  table.update(FaultSet(t));
  std::uint32_t most = 0;
  for (NodeId from = 0; from < t.node_count(); ++from)
    for (NodeId to = 0; to < t.node_count(); ++to)
      most = std::max(most, table.distance(from, false, to) - t.distance(from, to));
  return most;
}

}  // namespace flitmend
