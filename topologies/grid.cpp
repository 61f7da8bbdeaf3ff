// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid.h"

#include <algorithm>
#include <cstdlib>

#include "base/errors.h"
#include "topologies/limits.h"

namespace flitmend {
namespace {

constexpr const char* kSize = "network.size";

std::string_view word(Grid::Kind kind) {
  switch (kind) {
    case Grid::Kind::mesh:
      return "mesh";
    case Grid::Kind::torus:
      return "torus";
    case Grid::Kind::hypercube:
      return "hypercube";
  }
  return "";
}

std::string size_text(const std::vector<std::uint32_t>& radix) {
  std::string text;
  for (std::uint32_t k : radix) text += (text.empty() ? "" : "x") + std::to_string(k);
  return text;
}

/// Checks the radices and returns the number of nodes.
NodeId checked_nodes(Grid::Kind kind, const std::vector<std::uint32_t>& radix) {
  const std::string name(word(kind));
  if (radix.empty())
    throw KeyError(kSize, "empty; a " + name + " needs a radix for each dimension, as [8, 8]");
  if (radix.size() > kMaxDimensions)
    throw KeyError(kSize, std::to_string(radix.size()) + " dimensions; a " + name + " has at most " +
                              std::to_string(kMaxDimensions));
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < radix.size(); ++i) {
    const std::string where = "dimension " + std::to_string(i);
    if (radix[i] == 0)
      throw KeyError(kSize, where + " has radix 0; a " + name + " needs at least " +
                                (kind == Grid::Kind::torus ? "2" : "1"));
    if (kind == Grid::Kind::torus && radix[i] == 1)
      throw KeyError(kSize,
                     where +
                         " has radix 1, a ring of one node; a torus needs at least 2 in every dimension; "
                         "leave that dimension out");
    nodes *= radix[i];
    if (nodes > kMaxNodes)
      throw KeyError(kSize, "a " + size_text(radix) + " " + name + " has more than " +
                                std::to_string(kMaxNodes) +
                                " nodes, the largest supported network; make it smaller");
  }
  if (nodes < 2)
    throw KeyError(kSize, "a " + size_text(radix) + " " + name + " has 1 node; a network needs at least 2");
  return static_cast<NodeId>(nodes);
}

}  // namespace

Grid::Grid(Kind kind, std::vector<std::uint32_t> radix) : kind_(kind), radix_(std::move(radix)) {
  const NodeId nodes = checked_nodes(kind_, radix_);
  std::uint32_t stride = 1;
  for (std::uint32_t k : radix_) {
    stride_.push_back(stride);
    stride *= k;
  }
  coordinates_.reserve(std::size_t{nodes} * radix_.size());
  for (NodeId node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < dimensions(); ++i) coordinates_.push_back(node / stride_[i] % radix_[i]);
  const unsigned ports_a_dimension = kind_ == Kind::hypercube ? 1 : 2;
  set_size(nodes, std::vector<PortId>(nodes, static_cast<PortId>(ports_a_dimension * dimensions())));
  for (NodeId node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < dimensions(); ++i) {
      const std::uint32_t x = coordinate(node, i);
      if (x + 1 < radix_[i])
        connect({node, port(i, true)}, {node + stride_[i], port(i, false)});
      else if (kind_ == Kind::torus)
        connect({node, port(i, true)}, {node - x * stride_[i], port(i, false)});
    }
}

std::string_view Grid::name() const {
  return word(kind_);
}

std::string Grid::description() const {
  if (kind_ == Kind::hypercube) return std::to_string(dimensions()) + "-dimensional hypercube";
  if (dimensions() == 1)
    return std::to_string(radix_[0]) + "-node " + (kind_ == Kind::torus ? "ring" : "linear array");
  return size_text(radix_) + " " + std::string(name());
}

std::vector<std::uint32_t> Grid::coordinates(RouterId router) const {
  std::vector<std::uint32_t> x(dimensions());
  for (unsigned i = 0; i < dimensions(); ++i) x[i] = coordinate(router, i);
  return x;
}

std::optional<NodeId> Grid::node_at(std::span<const std::int64_t> coordinates) const {
  if (coordinates.size() != dimensions()) return std::nullopt;
  NodeId node = 0;
  for (unsigned i = 0; i < dimensions(); ++i) {
    if (coordinates[i] < 0 || coordinates[i] >= radix_[i]) return std::nullopt;
    node += static_cast<NodeId>(coordinates[i]) * stride_[i];
  }
  return node;
}

std::string Grid::router_name(RouterId router) const {
  std::string text = "router";
  for (unsigned i = 0; i < dimensions(); ++i) text += "_" + std::to_string(coordinate(router, i));
  return text;
}

std::string Grid::port_name(RouterId router, PortId port) const {
  if (port >= port_count(router)) return "local";
  const std::string dimension = "dim" + std::to_string(port_dimension(port));
  if (kind_ == Kind::hypercube) return dimension;
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
  const std::uint32_t widest = *std::max_element(radix_.begin(), radix_.end());
  return std::uint64_t{kind_ == Kind::torus ? 4u : 2u} * (node_count() / widest);
}

std::uint32_t Grid::diameter() const {
  std::uint32_t hops = 0;
  for (std::uint32_t k : radix_) hops += kind_ == Kind::torus ? k / 2 : k - 1;
  return hops;
}

}  // namespace flitmend
