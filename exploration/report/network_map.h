// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "topologies/switched_grid.h"
#include "topologies/topology.h"

namespace flitmend {

struct MapPoint {
  double x = 0;
  double y = 0;  ///< upwards
  friend bool operator==(const MapPoint&, const MapPoint&) = default;
};

/// The graph of a network, drawn in the plane. Neighbours in a two-dimensional network are 1 apart.
struct NetworkMap {
  struct Node {
    std::string name;
    std::string label;  ///< for the picture, shorter than the name
    MapPoint at;
    bool is_switch = false;
  };
  /// One channel: a line from the sending router to the receiving router. Each of the two channels of a link
  /// keeps to the right. A line with a break has two parts: a wrap-around channel of a torus goes out on one
  /// side and in on the other.
  struct Channel {
    std::string from;
    std::string port;
    std::string to;
    std::vector<std::vector<MapPoint>> lines;
  };
  /// Text above a part of the network.
  struct Caption {
    std::string text;
    MapPoint at;
  };
  /// By router; then, where subnetworks are drawn one by one, nodes that are drawn again.
  std::vector<Node> nodes;
  std::vector<Caption> captions;
  std::vector<Channel> channels;  ///< by router, then port: the order of stats.json
  std::string note;               ///< how to read the map: whole sentences; empty: it needs no words
};

/// Meshes, tori and hypercubes: dimension 0 goes to the right, 1 upwards. If there are more dimensions, every
/// combination of the higher ones is a layer with a caption. A channel to another layer is a short line at
/// either end, at an angle that is the dimension's own. KNS networks are grids of grids: dimensions 0, 2, …
/// go to the right, 1, 3, … upwards; switches are drawn at the end of the routers that they connect, and
/// subnetworks of several stages one by one (staged_map). Where the topology itself says where routers are
/// drawn, they are drawn there. Channels are curved if they would run over routers in between.
NetworkMap network_map(const Topology&);

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
