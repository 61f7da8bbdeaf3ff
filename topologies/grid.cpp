// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid.h"

#include <algorithm>
#include <cstdlib>

#include "base/bits.h"
#include "base/errors.h"
#include "base/text.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

constexpr const char* kSize = "network.size";

std::string by_x(const std::vector<std::uint32_t>& radices) {
  return joined(radices, "x");
}

/// Checks the radices and returns the number of nodes.
NodeId checked_nodes(const std::string& name, const std::vector<std::uint32_t>& radices,
                     std::uint32_t rings) {
  if (radices.empty())
    throw KeyError(kSize, "empty; a " + name + " needs a radix for each dimension, as [8, 8]");
  if (radices.size() > kMaxDimensions)
    throw KeyError(kSize,
                   formatted("%1% dimensions; a %2% has at most %3%", radices.size(), name, kMaxDimensions));
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    const bool ring = rings >> i & 1;
    if (radices[i] == 0)
      throw KeyError(kSize,
                     formatted("dimension %1% has radix 0; a %2% needs at least %3%", i, name, ring ? 2 : 1));
    if (ring && radices[i] == 1)
      throw KeyError(kSize,
                     formatted("dimension %1% has radix 1, a ring of one node; a %2% needs at least 2 there; "
                               "leave that dimension out",
                               i, name));
    nodes *= radices[i];
    if (nodes > kMaxNodes)
      throw KeyError(
          kSize, formatted("%1% %2% has more than %3% nodes, the largest supported network; make it smaller",
                           with_article(by_x(radices)), name, kMaxNodes));
  }
  if (nodes < 2)
    throw KeyError(kSize, formatted("%1% %2% has 1 node; a network needs at least 2",
                                    with_article(by_x(radices)), name));
  return static_cast<NodeId>(nodes);
}

}  // namespace

Grid::Grid(std::string_view name, std::vector<std::uint32_t> radices, std::uint32_t rings, Ports ports)
    : Topology(name), paired_(ports == Ports::paired) {
  const NodeId nodes = checked_nodes(std::string(name), radices, rings);
  const auto ports_per_router = static_cast<PortId>((paired_ ? 2 : 1) * radices.size());
  wrap_mask_ = rings & static_cast<std::uint32_t>(low_bits(static_cast<unsigned>(radices.size())));
  set_size(std::move(radices), std::vector<PortId>(nodes, ports_per_router));
  std::vector<std::uint32_t> stride;  // between neighbours in each dimension
  for (std::uint32_t step = 1; std::uint32_t k : this->radices()) {
    stride.push_back(step);
    step *= k;
  }
  for (NodeId node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < dimensions(); ++i) {
      const std::uint32_t x = coordinate(node, i);
      if (x + 1 < radix(i))
        connect({node, port(i, true)}, {node + stride[i], port(i, false)});
      else if (wraps(i))
        connect({node, port(i, true)}, {node - x * stride[i], port(i, false)});
    }
}

bool Grid::wraps_everywhere() const {
  return wrap_mask_ == static_cast<std::uint32_t>(low_bits(dimensions()));
}

std::string Grid::size_text() const {
  return by_x(radices());
}

std::optional<LinkDirection> Grid::direction(RouterId router, PortId port) const {
  const unsigned i = port_dimension(port);
  const bool plus = port_is_plus(router, port);
  const std::uint32_t last = plus ? radix(i) - 1 : 0;
  return LinkDirection{i, plus ? 1 : -1, wraps(i) && coordinate(router, i) == last};
}

std::string Grid::port_name(RouterId router, PortId port) const {
  if (port >= port_count(router)) return "local";
  const std::string dimension = "dim" + std::to_string(port_dimension(port));
  if (!paired_) return dimension;
  if (dimensions() == 2) {
    static constexpr const char* kCompass[] = {"east", "west", "north", "south"};
    return kCompass[port];
  }
  return dimension + (port % 2 == 0 ? "_plus" : "_minus");
}

std::uint32_t Grid::distance(NodeId from, NodeId to) const {
  std::uint32_t hops = 0;
  for (unsigned i = 0; i < dimensions(); ++i)
    hops += static_cast<std::uint32_t>(std::abs(offset(from, to, i)));
  return hops;
}

std::uint64_t Grid::bisection_channels() const {
  std::uint64_t fewest = ~std::uint64_t{0};
  for (unsigned i = 0; i < dimensions(); ++i)
    if (radix(i) > 1)
      fewest = std::min<std::uint64_t>(fewest, (wraps(i) ? 4u : 2u) * (node_count() / radix(i)));
  return fewest;
}

std::uint32_t Grid::diameter() const {
  std::uint32_t hops = 0;
  for (unsigned i = 0; i < dimensions(); ++i) hops += wraps(i) ? radix(i) / 2 : radix(i) - 1;
  return hops;
}

bool is_mesh(const Topology& t) {
  const Grid* grid = structure_of<Grid>(t);
  return grid && grid->paired_ports() && !grid->wraps();
}
bool is_torus(const Topology& t) {
  const Grid* grid = structure_of<Grid>(t);
  return grid && grid->wraps_everywhere();
}
bool is_hypercube(const Topology& t) {
  const Grid* grid = structure_of<Grid>(t);
  return grid && !grid->paired_ports();
}
bool is_grid(const Topology& t) {
  return structure_of<Grid>(t) != nullptr;
}
bool has_rings(const Topology& t) {
  const Grid* grid = structure_of<Grid>(t);
  return grid && grid->wraps();
}

}  // namespace flitmend
