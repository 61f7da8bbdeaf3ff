// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// What mesh, torus and hypercube share: n dimensions with a radix each, coordinates in mixed radix with
/// dimension 0 varying fastest: node = x_0 + k_0·(x_1 + k_1·(x_2 + …)).
///
/// Mesh and torus: port 2i leads to x_i + 1 ("plus"), port 2i + 1 to x_i − 1 ("minus"). In two dimensions the
/// ports are called east, west, north, south (east = +x, north = +y), otherwise dim0_plus, dim0_minus, ….
/// Hypercube: one port per dimension; port i flips bit i: dim0, dim1, …. In a torus dimension of radix 2, two
/// parallel links join the two nodes.
class Grid : public Topology {
 public:
  enum class Kind { mesh, torus, hypercube };

  Kind kind() const { return kind_; }
  unsigned dimensions() const { return static_cast<unsigned>(radix_.size()); }
  std::uint32_t radix(unsigned dimension) const { return radix_[dimension]; }
  std::uint32_t coordinate(RouterId router, unsigned dimension) const {
    return coordinates_[std::size_t{router} * radix_.size() + dimension];
  }
  /// Signed hops left in a dimension. On a torus the shorter way; a tie at k/2 goes in the + direction.
  std::int32_t offset(RouterId from, RouterId to, unsigned dimension) const {
    const auto k = static_cast<std::int32_t>(radix_[dimension]);
    std::int32_t d = static_cast<std::int32_t>(coordinate(to, dimension)) -
                     static_cast<std::int32_t>(coordinate(from, dimension));
    if (kind_ == Kind::torus) {
      if (2 * d > k)
        d -= k;
      else if (2 * d <= -k)
        d += k;
    }
    return d;
  }
  /// The port in the + or − direction of a dimension; on a hypercube the dimension's only port.
  PortId port(unsigned dimension, bool plus) const {
    return static_cast<PortId>(kind_ == Kind::hypercube ? dimension : 2 * dimension + !plus);
  }
  unsigned port_dimension(PortId port) const { return kind_ == Kind::hypercube ? port : port / 2u; }
  /// Whether the port leads to a greater coordinate (on a torus: in the + direction, the wrap-around link
  /// included).
  bool port_is_plus(RouterId router, PortId port) const {
    return kind_ == Kind::hypercube ? coordinate(router, port) == 0 : port % 2 == 0;
  }

  std::string_view name() const override;
  std::string description() const override;
  std::vector<std::uint32_t> coordinates(RouterId) const override;
  std::optional<NodeId> node_at(std::span<const std::int64_t> coordinates) const override;
  std::string router_name(RouterId) const override;
  std::string port_name(RouterId, PortId) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint64_t bisection_channels() const override;
  std::uint32_t diameter() const override;

 protected:
  Grid(Kind kind, std::vector<std::uint32_t> radix);

 private:
  Kind kind_;
  std::vector<std::uint32_t> radix_;
  std::vector<std::uint32_t> stride_;
  std::vector<std::uint32_t> coordinates_;  ///< by router and dimension; a table is faster than divisions
};

}  // namespace flitmend
