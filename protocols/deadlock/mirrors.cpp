// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/mirrors.h"

#include <algorithm>

#include "base/errors.h"
#include "protocols/routing/mirrored_routing.h"
#include "topologies/topology.h"

namespace flitmend {

GridMirror::GridMirror(const Grid& grid, unsigned dimension)
    : grid_(&grid), dimension_(dimension), last_(grid.radix(dimension) - 1), stride_(1) {
  for (unsigned i = 0; i < dimension; ++i) stride_ *= grid.radix(i);
}

std::vector<GridMirror> mirrors_of(const RoutingFunction& routing) {
  std::vector<GridMirror> mirrors;
  const std::uint32_t declared = mirrored_dimensions(routing);
  if (declared == 0) return mirrors;
  const Grid& grid = *structure_of<Grid>(routing.topology());
  for (unsigned i = 0; i < grid.dimensions(); ++i)
    if (declared >> i & 1 && grid.radix(i) > 1) mirrors.emplace_back(grid, i);
  return mirrors;
}

std::vector<NodeClass> classes_of_nodes(const Topology& topology, const std::vector<GridMirror>& mirrors) {
  std::vector<NodeClass> classes;
  for (NodeId node = 0; node < topology.node_count(); ++node) {
    unsigned size = 1;
    bool first = true;
    for (const GridMirror& mirror : mirrors) {
      const NodeId image = mirror.router(node);
      first = first && node <= image;
      size *= image == node ? 1 : 2;
    }
    if (first) classes.push_back({node, size});
  }
  return classes;
}

ChannelImages images_of_channels(const ChannelMap& channels, const RoutingFunction& routing,
                                 const GridMirror& mirror) {
  ChannelImages images(channels.size(), kNoChannel);
  for (ChannelId c = 0; c < channels.size(); ++c) {
    const RouterId router = mirror.router(channels[c].router);
    const PortId port = mirror.port(channels[c].port);
    for (unsigned k = 0; k < routing.classes(); ++k)
      for (const ChannelId i : channels.of_class(router, port, k))
        if (channels[i].vcs == channels[c].vcs) images[c] = i;
    if (images[c] == kNoChannel)
      throw ContractError("a routing function declares a mirror that its virtual channels do not have");
  }
  return images;
}

}  // namespace flitmend
