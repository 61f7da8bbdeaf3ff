// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

struct MapPoint {
  double x = 0;
  double y = 0;  ///< upwards
  friend bool operator==(const MapPoint&, const MapPoint&) = default;
};

/// A picture of a network's graph in the plane. Neighbours of a two-dimensional network are 1 apart.
struct NetworkMap {
  struct Node {
    std::string name;
    MapPoint at;
    bool is_switch = false;
  };
  /// One channel: a line to follow from the router that sends to the router that receives. The two channels
  /// of a link keep to the right of one another. A line with a break (a torus' channel round the edge: out on
  /// one side, in on the other) has two parts.
  struct Channel {
    std::string from;
    std::string port;
    std::string to;
    std::vector<std::vector<MapPoint>> lines;
  };
  std::vector<Node> nodes;
  std::vector<Channel> channels;  ///< by router, then port: the order of stats.json
};

/// Meshes, tori and hypercubes as grids of grids: dimensions 0, 2, … go to the right, 1, 3, … upwards. KNS
/// switches stand at the end of what they join. Channels bow where they would run over routers in between.
NetworkMap network_map(const Topology&);

}  // namespace flitmend
