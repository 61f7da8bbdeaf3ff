// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/routing/destination_classes.h"
#include "topologies/grid.h"

namespace flitmend {

/// The classes of destinations of a routing function of grids that, in every dimension, goes only by the side
/// on which the destination lies; on a ring also by whether the route crosses the dateline, between k − 1 and
/// 0, and by whether both directions are shortest.
class OffsetClasses : public DestinationClasses {
 public:
  enum class Looks {
    everywhere,  ///< at all dimensions at once
    /// Only at the lowest one that is left, there also at whether it is the last hop; and which later ones
    /// have a tie. In its h may be whether the message has crossed the dateline of that dimension.
    in_order,
  };

  void add_representatives(RouterId here, std::vector<NodeId>& nodes) const override;
  std::uint64_t destination_class(RouterId here, NodeId destination) const override;

 protected:
  /// The grid must outlive this.
  explicit OffsetClasses(const Grid& grid, Looks looks = Looks::everywhere) : on_(grid), looks_(looks) {}
  ~OffsetClasses() = default;

 private:
  /// A node that differs in one dimension.
  struct Near {
    NodeId offset;  ///< of its number, modulo 2^32
    unsigned part;
    std::uint32_t hops;
  };
  /// What a class says of one dimension: 0 if both nodes have the same coordinate.
  unsigned part_of(NodeId from, NodeId to, unsigned dimension) const;
  /// Of every part the nearest node; and the farthest if that is of another part at the router before.
  std::vector<Near> nearest(RouterId here, unsigned dimension) const;

  const Grid& on_;
  Looks looks_;
};

}  // namespace flitmend
