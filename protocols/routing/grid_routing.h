// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/bits.h"
#include "base/options.h"
#include "protocols/routing/partitioned_routing.h"
#include "topologies/grid.h"
#include "topologies/topology.h"

namespace flitmend {

/// The direction of a message on a ring of even radix k whose destination is k/2 away: both are shortest.
enum class RingTies {
  plus,    ///< always +, which loads the channels of that direction more
  random,  ///< drawn at the source, per message and dimension
};
/// The option `ties`.
extern const OptionKey kTiesOption;
RingTies ring_ties(const OptionValues&);
/// The option `misroutes`: at most 3.
extern const OptionKey kMisroutesOption;
/// Their count in h, in bits 60 and 61, and one of them.
inline unsigned misroutes_of(std::uint64_t h) {
  return static_cast<unsigned>(h >> 60 & 3);
}
inline constexpr std::uint64_t kMisroute = std::uint64_t{1} << 60;

/// What the algorithms of grids share.
class GridRouting : public PartitionedRouting {
 public:
  bool looks_at_arrival() const override { return false; }

 protected:
  /// The topology is a grid. `ties`: the direction taken at a tie. Drawn directions are bits of h, one per
  /// dimension from `first_tie_bit` on, set for −.
  GridRouting(const Topology& topology, std::vector<VcMask> masks, RingTies ties = RingTies::plus,
              unsigned first_tie_bit = 0)
      : PartitionedRouting(topology, std::move(masks)),
        grid_(*structure_of<Grid>(topology)),
        ties_(grid_.wraps() ? ties : RingTies::plus),  // without rings nothing is drawn
        first_tie_bit_(first_tie_bit) {}

  /// Whether both directions around the ring of a dimension are shortest. `left`: Grid::offset in it.
  bool tied(unsigned dimension, std::int32_t left) const {
    return grid_.wraps(dimension) && 2 * left == static_cast<std::int32_t>(grid_.radix(dimension));
  }
  /// Whether a message with that h goes in the + direction; left ≠ 0.
  bool goes_plus(std::uint64_t h, unsigned dimension, std::int32_t left) const {
    return left > 0 && !((h & tie_bit(dimension)) && tied(dimension, left));
  }
  /// h after a hop in that dimension, which has broken the tie.
  std::uint64_t after_hop(std::uint64_t h, unsigned dimension) const { return h & ~tie_bit(dimension); }
  /// The tie bits of all dimensions in which the direction from source to destination is drawn.
  std::uint64_t drawn_ties(NodeId source, NodeId destination) const {
    std::uint64_t bits = 0;
    if (ties_ == RingTies::random)
      for (unsigned i = 0; i < grid_.dimensions(); ++i)
        if (tied(i, grid_.offset(source, destination, i))) bits |= tie_bit(i);
    return bits;
  }

  /// Calls f(port, dimension) for every productive port, lowest dimension first; at a tie in a ring for + and
  /// −.
  template <class F>
  void for_each_productive(RouterId here, NodeId destination, F&& f) const {
    for (unsigned i = 0; i < grid_.dimensions(); ++i) {
      const std::int32_t left = grid_.offset(here, destination, i);
      if (left == 0) continue;
      f(grid_.port(i, left > 0), i);
      if (tied(i, left)) f(grid_.port(i, false), i);
    }
  }
  /// Masks of dimensions: all of them, and those in which ties cannot occur.
  std::uint32_t every_dimension() const { return (std::uint32_t{1} << grid_.dimensions()) - 1; }
  std::uint32_t dimensions_without_ties() const {
    std::uint32_t mask = every_dimension();
    for (unsigned i = 0; i < grid_.dimensions(); ++i)
      if (grid_.wraps(i) && grid_.radix(i) % 2 == 0) mask &= ~(std::uint32_t{1} << i);
    return mask;
  }
  /// The most productive ports that a router can have.
  unsigned most_productive() const { return grid_.dimensions() * (grid_.wraps() ? 2 : 1); }

  const Grid& grid_;

 private:
  std::uint64_t tie_bit(unsigned dimension) const { return std::uint64_t{1} << (first_tie_bit_ + dimension); }

  RingTies ties_;
  unsigned first_tie_bit_;
};

/// A grid, no dimension of which is a ring.
bool is_grid_without_rings(const Topology&);

/// Every combination of these bits, 0 first.
std::vector<std::uint64_t> subsets_of(std::uint64_t bits);

/// The dateline of a ring is between k − 1 and 0. Class 0 while a message going that way still has to cross
/// it (the wrap-around link itself is class 0), class 1 afterwards and if it never crosses.
inline std::uint8_t strict_dateline_class(const Grid& grid, RouterId here, NodeId destination,
                                          unsigned dimension, bool plus) {
  const std::uint32_t x = grid.coordinate(here, dimension);
  const std::uint32_t d = grid.coordinate(destination, dimension);
  return (plus ? x > d : x < d) ? 0 : 1;
}

/// A routing function of grids whose classes exist only in some directions. At every port, the virtual
/// channels are spread evenly over the classes that exist there, in their order.
class PortClassRouting : public GridRouting {
 public:
  VcMask class_vcs(RouterId router, PortId port, unsigned vc_class) const override {
    if (port == local_port(router)) return all_;
    return masks_[direction(router, port) * classes_ + vc_class];
  }
  unsigned classes() const override { return classes_; }

 protected:
  /// exists(dimension, plus, vc_class): whether the class exists at ports in that direction. At each port at
  /// least one class does.
  template <class Exists>
  PortClassRouting(const Topology& topology, unsigned vcs, unsigned classes, Exists&& exists)
      : GridRouting(topology, {low_bits(vcs)}), classes_(classes), all_(low_bits(vcs)) {
    for (unsigned dimension = 0; dimension < grid_.dimensions(); ++dimension)
      for (const bool plus : {true, false}) {
        unsigned present = 0;
        for (unsigned c = 0; c < classes; ++c) present += exists(dimension, plus, c);
        const std::vector<VcMask> shares = spread_evenly(vcs, present);
        auto share = shares.begin();
        for (unsigned c = 0; c < classes; ++c) masks_.push_back(exists(dimension, plus, c) ? *share++ : 0);
      }
  }

 private:
  std::size_t direction(RouterId router, PortId port) const {
    return 2 * grid_.port_dimension(port) + !grid_.port_is_plus(router, port);
  }

  unsigned classes_;
  VcMask all_;
  std::vector<VcMask> masks_;  ///< by direction, by class
};

}  // namespace flitmend
