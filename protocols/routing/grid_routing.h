// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "topologies/grid.h"
#include "topologies/structure.h"

namespace flitmend {

/// What the algorithms of grids share.
class GridRouting : public PartitionedRouting {
 protected:
  /// The topology is a grid.
  GridRouting(const Topology& topology, std::vector<VcMask> masks)
      : PartitionedRouting(topology, std::move(masks)), grid_(*structure_of<Grid>(topology)) {}

  /// Calls f(port, dimension) for every productive port, lowest dimension first; at a tie in a ring for + and
  /// −.
  template <class F>
  void for_each_productive(RouterId here, NodeId destination, F&& f) const {
    for (unsigned i = 0; i < grid_.dimensions(); ++i) {
      const std::int32_t left = grid_.offset(here, destination, i);
      if (left == 0) continue;
      f(grid_.port(i, left > 0), i);
      if (grid_.wraps(i) && 2 * left == static_cast<std::int32_t>(grid_.radix(i))) f(grid_.port(i, false), i);
    }
  }
  /// The most productive ports that a router can have.
  unsigned most_productive() const { return grid_.dimensions() * (grid_.wraps() ? 2 : 1); }

  const Grid& grid_;
};

/// The dateline of a ring is between k − 1 and 0. Class 0 while a message going that way still has to cross
/// it (the wrap-around link itself is class 0), class 1 afterwards and if it never crosses.
inline std::uint8_t strict_dateline_class(const Grid& grid, RouterId here, NodeId destination,
                                          unsigned dimension, bool plus) {
  const std::uint32_t x = grid.coordinate(here, dimension);
  const std::uint32_t d = grid.coordinate(destination, dimension);
  return (plus ? x > d : x < d) ? 0 : 1;
}

}  // namespace flitmend
