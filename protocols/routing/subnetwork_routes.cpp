// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/subnetwork_routes.h"

#include <algorithm>

namespace flitmend {

void SubnetworkRoutes::update_faults(const FaultSet& faults) {
  faults_.reset();
  routes_.clear();
  if (faults.count() == 0 || grid_.one_switch_each()) return;
  faults_.emplace(faults);
  routes_.resize(grid_.dimensions());
  for (RouterId first = grid_.node_count(); first < grid_.router_count();) {
    const unsigned i = grid_.switch_dimension(first);
    routes_[i].push_back(any_faulty<false>(first, i) ? routes_through(first, i) : Routes());
    first += grid_.subnetwork(i).switches();
  }
}

bool SubnetworkRoutes::leads(const Routes& routes, RouterId at, PortId port, unsigned dimension,
                             std::uint32_t end) const {
  if (faults_->blocked(at, port)) return false;
  const RouterId far = grid_.neighbour(at, port)->router;
  return !grid_.is_switch(far) || routes.lead(grid_.switch_number(far, dimension), end);
}

std::optional<PortId> SubnetworkRoutes::port_around(const Routes& routes, RouterId at, unsigned dimension,
                                                    std::uint32_t end) const {
  const Subnetwork& s = grid_.subnetwork(dimension);
  const std::uint32_t number = grid_.switch_number(at, dimension);
  const PortId first = s.port_to(number, end);
  if (leads(routes, at, first, dimension, end)) return first;
  if (s.kind() != SubnetworkKind::fat_tree || s.goes_down(number, end)) return std::nullopt;
  for (std::uint32_t i = 1; i < s.arity(); ++i) {
    const auto port = static_cast<PortId>(s.arity() + (first + i) % s.arity());
    if (leads(routes, at, port, dimension, end)) return port;
  }
  return std::nullopt;
}

// Backwards along the routes: down from the first stage to the last, then up from the last to the first.
SubnetworkRoutes::Routes SubnetworkRoutes::routes_through(RouterId first, unsigned dimension) const {
  const Subnetwork& s = grid_.subnetwork(dimension);
  Routes routes(s);
  const auto find = [&](std::uint32_t number, bool down) {
    for (std::uint32_t end = 0; end < s.k(); ++end)
      if (s.goes_down(number, end) == down && port_around(routes, first + number, dimension, end))
        routes.set(number, end);
  };
  for (std::uint32_t number = 0; number < s.switches(); ++number) find(number, true);
  for (std::uint32_t number = s.switches(); number-- > 0;) find(number, false);
  return routes;
}

template <bool kInside>
bool SubnetworkRoutes::any_faulty(RouterId first, unsigned dimension) const {
  for (RouterId at = first; at < first + grid_.subnetwork(dimension).switches(); ++at) {
    if (faults_->router_faulty(at)) return true;
    for (PortId port = 0; port < grid_.port_count(at); ++port)
      if (grid_.carries_flits(at, port) && (!kInside || grid_.is_switch(grid_.neighbour(at, port)->router)) &&
          (kInside ? faults_->channel_faulty(at, port) : faults_->blocked(at, port)))
        return true;
  }
  return false;
}

std::vector<SubnetworkLink> SubnetworkRoutes::links_cut_off() const {
  std::vector<SubnetworkLink> links;
  if (!faults_) return links;
  std::uint32_t stride = 1;
  for (unsigned i = 0; i < grid_.dimensions(); stride *= grid_.radix(i++))
    for (NodeId node = 0; node < grid_.node_count(); ++node) {
      if (grid_.coordinate(node, i) != 0 || !any_faulty<true>(grid_.switch_of(node, i), i)) continue;
      std::vector<NodeId> line;
      for (std::uint32_t end = 0; end < grid_.radix(i); ++end) line.push_back(node + end * stride);
      cut_off(i, line, links);
    }
  return links;
}

void SubnetworkRoutes::cut_off(unsigned dimension, const std::vector<NodeId>& line,
                               std::vector<SubnetworkLink>& links) const {
  const std::size_t k = line.size();
  std::vector<bool> cut(k * k);  // a·k + b: no route from a to b, or from b to a
  std::vector<std::uint32_t> pairs(k);
  const Routes& routes = routes_at(grid_.switch_of(line[0], dimension), dimension);
  const auto usable = [&](std::size_t end) { return !link_faulty(grid_, *faults_, line[end], dimension); };
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b) {
      if (a == b || cut[a * k + b] || !usable(a) || !usable(b) ||
          routes.lead(grid_.switch_number(grid_.switch_of(line[a], dimension), dimension),
                      static_cast<std::uint32_t>(b)))
        continue;
      cut[a * k + b] = cut[b * k + a] = true;
      ++pairs[a], ++pairs[b];
    }
  while (true) {
    const auto most = static_cast<std::size_t>(std::max_element(pairs.begin(), pairs.end()) - pairs.begin());
    if (pairs[most] == 0) return;
    links.push_back({line[most], dimension});
    for (std::size_t b = 0; b < k; ++b)
      if (cut[most * k + b]) {
        cut[most * k + b] = cut[b * k + most] = false;
        --pairs[most], --pairs[b];
      }
  }
}

bool link_faulty(const SwitchedGrid& grid, const FaultSet& faults, NodeId node, unsigned dimension) {
  const RouterPort exit = grid.exit_to(node, dimension);
  return faults.blocked(node, static_cast<PortId>(dimension)) || faults.blocked(exit.router, exit.port);
}

}  // namespace flitmend
