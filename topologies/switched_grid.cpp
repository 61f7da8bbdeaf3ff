// SPDX-License-Identifier: Apache-2.0
#include "topologies/switched_grid.h"

#include <algorithm>

#include "topologies/structure.h"

namespace flitmend {

SwitchedGrid::SwitchedGrid(std::string_view name, std::vector<std::uint32_t> radices) : Topology(name) {
  NodeId nodes = 1;
  for (std::uint32_t k : radices) {
    stride_.push_back(nodes);
    nodes *= k;
  }
  std::vector<PortId> ports(nodes, static_cast<PortId>(radices.size()));
  for (std::uint32_t k : radices) {
    first_switch_.push_back(static_cast<RouterId>(ports.size()));
    ports.insert(ports.end(), nodes / k, static_cast<PortId>(k));
  }
  first_switch_.push_back(static_cast<RouterId>(ports.size()));
  set_size(std::move(radices), ports);
  for (NodeId node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < dimensions(); ++i)
      connect({node, static_cast<PortId>(i)}, {switch_of(node, i), static_cast<PortId>(coordinate(node, i))});
}

std::vector<std::uint32_t> SwitchedGrid::coordinates(RouterId router) const {
  if (!is_switch(router)) return Topology::coordinates(router);
  const unsigned dimension = switch_dimension(router);
  std::vector<std::uint32_t> shared;
  std::uint32_t rest = router - first_switch_[dimension];
  for (unsigned i = 0; i < dimensions(); ++i) {
    if (i == dimension) continue;
    shared.push_back(rest % radix(i));
    rest /= radix(i);
  }
  return shared;
}

std::optional<LinkDirection> SwitchedGrid::direction(RouterId router, PortId port) const {
  return LinkDirection{is_switch(router) ? switch_dimension(router) : port, 0};
}

std::string SwitchedGrid::router_name(RouterId router) const {
  if (!is_switch(router)) return Topology::router_name(router);
  std::string text = "switch_d" + std::to_string(switch_dimension(router));
  for (std::uint32_t x : coordinates(router)) text += "_" + std::to_string(x);
  return text;
}

std::string SwitchedGrid::port_name(RouterId router, PortId port) const {
  if (port >= port_count(router)) return "local";
  return (is_switch(router) ? "port" : "dim") + std::to_string(port);
}

std::uint32_t SwitchedGrid::distance(NodeId from, NodeId to) const {
  std::uint32_t channels = 0;
  for (unsigned i = 0; i < dimensions(); ++i) channels += 2 * (coordinate(from, i) != coordinate(to, i));
  return channels;
}

std::uint64_t SwitchedGrid::bisection_channels() const {
  std::uint64_t fewest = ~std::uint64_t{0};
  for (std::uint32_t k : radices())
    fewest = std::min(fewest, std::uint64_t{2} * (node_count() / k) * (k / 2));
  return fewest;
}

std::uint32_t SwitchedGrid::diameter() const {
  return 2 * dimensions();
}

bool is_switched_grid(const Topology& t) {
  return structure_of<SwitchedGrid>(t) != nullptr;
}

}  // namespace flitmend
