// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace flitmend {

std::uint64_t Topology::channel_count() const {
  const auto linked = std::count_if(far_ends_.begin(), far_ends_.end(),
                                    [](const RouterPort& e) { return e.router != kNowhere; });
  return static_cast<std::uint64_t>(linked - std::count(ways_back_.begin(), ways_back_.end(), true));
}

std::vector<std::uint32_t> Topology::coordinates(RouterId router) const {
  const auto first = coordinates_.begin() + static_cast<std::ptrdiff_t>(std::size_t{router} * dimensions());
  return {first, first + dimensions()};
}

std::optional<NodeId> Topology::node_at(std::span<const std::int64_t> coordinates) const {
  if (coordinates.size() != dimensions()) return std::nullopt;
  NodeId node = 0;
  for (unsigned i = dimensions(); i-- > 0;) {
    if (coordinates[i] < 0 || coordinates[i] >= radices_[i]) return std::nullopt;
    node = node * radices_[i] + static_cast<NodeId>(coordinates[i]);
  }
  return node;
}

std::vector<unsigned> Topology::transposition() const {
  std::vector<unsigned> from(dimensions());
  for (unsigned i = 0; i < dimensions(); ++i) from[i] = dimensions() - 1 - i;
  return from;
}

std::string Topology::router_name(RouterId router) const {
  return "router_" + joined(coordinates(router), "_");
}

void Topology::set_size(std::vector<std::uint32_t> radices, const std::vector<PortId>& ports) {
  radices_ = std::move(radices);
  node_count_ = 1;
  for (std::uint32_t k : radices_) node_count_ *= k;
  coordinates_.reserve(std::size_t{node_count_} * dimensions());
  for (NodeId node = 0; node < node_count_; ++node) {
    NodeId rest = node;
    for (std::uint32_t k : radices_) {
      coordinates_.push_back(rest % k);
      rest /= k;
    }
  }
  first_port_.resize(ports.size() + 1);
  first_port_[0] = 0;
  for (std::size_t r = 0; r < ports.size(); ++r) first_port_[r + 1] = first_port_[r] + ports[r];
  far_ends_.assign(first_port_.back(), RouterPort{kNowhere, 0});
}

void Topology::connect(RouterPort a, RouterPort b) {
  far_ends_[first_port_[a.router] + a.port] = b;
  far_ends_[first_port_[b.router] + b.port] = a;
}

void Topology::connect_one_way(RouterPort from, RouterPort to) {
  connect(from, to);
  ways_back_.resize(far_ends_.size());
  ways_back_[first_port_[to.router] + to.port] = true;
}

std::optional<RouterPort> narrowest_link(const Topology& topology, unsigned flit_bits) {
  std::optional<RouterPort> narrowest;
  unsigned most = 1;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId p = 0; p < topology.port_count(r); ++p)
      if (const unsigned cycles = cycles_per_flit(topology.link_width(r, p), flit_bits); cycles > most) {
        most = cycles;
        narrowest = RouterPort{r, p};
      }
  return narrowest;
}

std::string place_name(const Topology& topology, RouterId router) {
  const std::string name = topology.router_name(router);
  constexpr std::string_view kRouter = "router_";
  if (topology.is_switch(router) || !name.starts_with(kRouter)) return name;
  const std::vector<std::uint32_t> coordinates = topology.coordinates(router);
  const std::string id = name.substr(kRouter.size());
  return id == joined(coordinates, "_") ? joined(coordinates, ",") : id;
}

}  // namespace flitmend
