// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "topologies/grid.h"

namespace flitmend {

/// What the algorithms for mesh, torus and hypercube share.
class GridRouting : public PartitionedRouting {
 protected:
  GridRouting(const Grid& grid, std::vector<VcMask> masks)
      : PartitionedRouting(grid, std::move(masks)), grid_(grid) {}

  /// Calls f(port, dimension) for every productive port, lowest dimension first; on a torus tie for both +
  /// and −.
  template <class F>
  void for_each_productive(RouterId here, NodeId destination, F&& f) const {
    for (unsigned i = 0; i < grid_.dimensions(); ++i) {
      const std::int32_t left = grid_.offset(here, destination, i);
      if (left == 0) continue;
      f(grid_.port(i, left > 0), i);
      if (grid_.kind() == Grid::Kind::torus && 2 * left == static_cast<std::int32_t>(grid_.radix(i)))
        f(grid_.port(i, false), i);
    }
  }
  /// The most productive ports that a router can have.
  unsigned most_productive() const {
    return grid_.dimensions() * (grid_.kind() == Grid::Kind::torus ? 2 : 1);
  }

  const Grid& grid_;
};

/// The dateline of a torus dimension is between k − 1 and 0. Class 0 while a message going that way still has
/// to cross it (the wrap-around link itself is class 0), class 1 afterwards and if it never crosses.
inline std::uint8_t strict_dateline_class(const Grid& grid, RouterId here, NodeId destination,
                                          unsigned dimension, bool plus) {
  const std::uint32_t x = grid.coordinate(here, dimension);
  const std::uint32_t d = grid.coordinate(destination, dimension);
  return (plus ? x > d : x < d) ? 0 : 1;
}

}  // namespace flitmend
