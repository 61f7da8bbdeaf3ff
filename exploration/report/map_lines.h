// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

#include "exploration/report/network_map.h"
#include "topologies/switched_grid.h"

namespace flitmend {

inline constexpr double kMapSide = 0.07;  // distance of a channel from the middle of its link

/// A step of a given length to the right of the direction from a to b; if they are the same, of the x axis.
inline MapPoint to_the_right(MapPoint a, MapPoint b, double length) {
  const double distance = std::hypot(b.x - a.x, b.y - a.y);
  if (distance == 0) return {length, 0};
  return {(b.y - a.y) / distance * length, (a.x - b.x) / distance * length};
}

/// The line of a channel from a to b.
inline std::vector<MapPoint> straight(MapPoint a, MapPoint b) {
  const MapPoint side = to_the_right(a, b, kMapSide);
  return {{a.x + side.x, a.y + side.y}, {b.x + side.x, b.y + side.y}};
}

/// Every subnetwork by itself, line by line, its caption above: the nodes of the line in a row, and the
/// stages of its switches above them. Where links have one direction, the nodes are there again at the top,
/// as receivers. So a node is drawn once or twice per dimension.
NetworkMap staged_map(const SwitchedGrid&);

}  // namespace flitmend
