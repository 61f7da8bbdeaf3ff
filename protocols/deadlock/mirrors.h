// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/deadlock/channels.h"
#include "topologies/grid.h"

namespace flitmend {

/// The mirror image of a grid in one dimension: coordinate x becomes k − 1 − x.
class GridMirror {
 public:
  GridMirror(const Grid& grid, unsigned dimension);

  RouterId router(RouterId r) const {
    const std::int64_t x = grid_->coordinate(r, dimension_);
    return static_cast<RouterId>(r + (last_ - 2 * x) * stride_);
  }
  PortId port(PortId p) const {
    return grid_->paired_ports() && grid_->port_dimension(p) == dimension_ ? static_cast<PortId>(p ^ 1) : p;
  }

 private:
  const Grid* grid_;
  unsigned dimension_;
  std::int64_t last_;    ///< the greatest coordinate
  std::int64_t stride_;  ///< between neighbours in that dimension
};

/// The mirrors of the dimensions that a routing function declares (MirroredRouting); empty: there are none.
std::vector<GridMirror> mirrors_of(const RoutingFunction&);

/// A node, and the number of nodes that it stands for.
struct NodeClass {
  NodeId node;
  unsigned size;
};

/// One of every set of nodes that are mirror images of each other; without mirrors every node.
std::vector<NodeClass> classes_of_nodes(const Topology&, const std::vector<GridMirror>&);

/// By channel: its mirror image.
using ChannelImages = std::vector<ChannelId>;
ChannelImages images_of_channels(const ChannelMap&, const RoutingFunction&, const GridMirror&);

}  // namespace flitmend
