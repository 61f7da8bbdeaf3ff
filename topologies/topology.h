// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"

namespace flitmend {

/// The largest supported network: 2^20 nodes.
inline constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 20;
/// Dimensions of a mesh or torus, including those of radix 1.
inline constexpr unsigned kMaxDimensions = 32;
/// Ports of a KNS switch: port numbers have 16 bits, and the two highest are reserved.
inline constexpr std::uint32_t kMaxSwitchPorts = 65534;
/// Ends of a fat tree or a RUFT: around faults, routing keeps a bit for each of its switches and ends.
inline constexpr std::uint32_t kMaxSubnetworkEnds = 4096;

using RouterId = std::uint32_t;  ///< a vertex of the graph: a router or a switch
using NodeId =
    std::uint32_t;  ///< a router with a processing element; nodes are the routers 0 … node_count() − 1
using PortId =
    std::uint16_t;  ///< a network port of a router, 0 … port_count() − 1; the local port comes after them

struct RouterPort {
  RouterId router;
  PortId port;
  friend bool operator==(const RouterPort&, const RouterPort&) = default;
};

/// How a link runs through the coordinates, seen from the router that sends.
struct LinkDirection {
  unsigned dimension;
  int sign;            ///< +1 to greater coordinates, −1 to lesser ones, 0 to or from a switch
  bool wraps = false;  ///< around the edge: from the last coordinate to the first, or back
  friend bool operator==(const LinkDirection&, const LinkDirection&) = default;
};

/// A place in the picture of a network; neighbours are about 1 apart.
struct MapPosition {
  double x;
  double y;  ///< upwards
};

/// The graph of a direct or indirect network: routers, ports, links, coordinates. No hardware, no SystemC. A
/// link is a pair of channels, one per direction: neighbour(neighbour(r, p)) is (r, p). A one-way link has
/// both too, but flits take only one of them: what recovery protocols send back has the other. Routers 0 …
/// node_count() − 1 have a processing element; the others are switches. Nodes are numbered by their
/// coordinates in mixed radix with dimension 0 varying fastest: node = x_0 + k_0·(x_1 + k_1·(x_2 + …)).
class Topology {
 public:
  virtual ~Topology() = default;

  std::string_view name() const { return name_; }  ///< as in the configuration and the registry
  virtual std::string description() const = 0;     ///< "8x8 mesh", "6-dimensional hypercube", "KNS(32, 2)"
  RouterId router_count() const {
    return static_cast<RouterId>(first_port_.empty() ? 0 : first_port_.size() - 1);
  }
  NodeId node_count() const { return node_count_; }
  bool is_switch(RouterId router) const { return router >= node_count_; }

  /// Number of network ports of that router. A port may be unconnected (at the edge of a mesh).
  PortId port_count(RouterId router) const {
    return static_cast<PortId>(first_port_[router + 1] - first_port_[router]);
  }
  /// The far end of the link at that port; none at an edge.
  std::optional<RouterPort> neighbour(RouterId router, PortId port) const {
    const RouterPort& far = far_ends_[first_port_[router] + port];
    if (far.router == kNowhere) return std::nullopt;
    return far;
  }
  /// Whether flits take the channel at that port: it exists, and is not the reverse side of a one-way link.
  bool carries_flits(RouterId router, PortId port) const {
    const std::uint32_t channel = first_port_[router] + port;
    return far_ends_[channel].router != kNowhere && (ways_back_.empty() || !ways_back_[channel]);
  }
  /// Whether there is a one-way link.
  bool has_one_way_links() const { return !ways_back_.empty(); }
  /// Channels between routers that carry flits: both directions of every link, but for one-way links.
  std::uint64_t channel_count() const;

  unsigned dimensions() const { return static_cast<unsigned>(radices_.size()); }
  /// Positions in each dimension, lowest dimension first; their product is node_count().
  const std::vector<std::uint32_t>& radices() const { return radices_; }
  std::uint32_t radix(unsigned dimension) const { return radices_[dimension]; }
  std::uint32_t coordinate(NodeId node, unsigned dimension) const {
    return coordinates_[std::size_t{node} * radices_.size() + dimension];
  }
  /// Coordinates, lowest dimension first. Of a switch: those that its neighbours share.
  virtual std::vector<std::uint32_t> coordinates(RouterId) const;
  /// The node at these coordinates; none if they are outside the network.
  std::optional<NodeId> node_at(std::span<const std::int64_t> coordinates) const;
  /// The direction of the link at a network port; none if it does not follow a dimension.
  virtual std::optional<LinkDirection> direction(RouterId, PortId) const { return std::nullopt; }
  /// Cycles that a flit takes over the link at a network port; 0: as many as over every link of the network
  /// (link.latency). Both channels of a link take the same.
  virtual unsigned link_latency(RouterId, PortId) const { return 0; }
  /// Bits that the link at a network port carries per cycle, in each direction; 0: as many as a flit has.
  /// Both channels of a link have the same. See cycles_per_flit.
  virtual unsigned link_width(RouterId, PortId) const { return 0; }
  /// Where a router is drawn; none if its coordinates say that.
  virtual std::optional<MapPosition> position(RouterId) const { return std::nullopt; }
  /// The matrix transpose of a node's coordinates: dimension i takes the coordinate of dimension
  /// transposition()[i]. By default the dimensions in reverse order.
  virtual std::vector<unsigned> transposition() const;

  virtual std::string router_name(RouterId) const;            ///< "router_3_4", "switch_d0_2"
  virtual std::string port_name(RouterId, PortId) const = 0;  ///< "east", "dim2_plus", "dim3"; local: "local"

  /// Channels on a shortest path between two nodes.
  virtual std::uint32_t distance(NodeId from, NodeId to) const = 0;
  /// Channels that cross the bisection, both directions counted, which is its bandwidth in flits per cycle:
  /// 2^n on a hypercube, 2n on an n x n mesh.
  virtual std::uint64_t bisection_channels() const = 0;
  /// The greatest distance between two nodes.
  virtual std::uint32_t diameter() const = 0;

 protected:
  /// `name`: a literal, as in the registry.
  explicit Topology(std::string_view name) : name_(name) {}
  /// Called once by the constructor of each topology. Radices: all at least 1, their product at most
  /// kMaxNodes. Router r has ports[r] network ports; nodes come first.
  void set_size(std::vector<std::uint32_t> radices, const std::vector<PortId>& ports);
  /// Links two ports, in both directions.
  void connect(RouterPort a, RouterPort b);
  /// Links two ports so that flits go from the first to the second only.
  void connect_one_way(RouterPort from, RouterPort to);

 private:
  static constexpr RouterId kNowhere = ~RouterId{0};

  std::string_view name_;
  NodeId node_count_ = 0;
  std::vector<std::uint32_t> radices_;
  std::vector<std::uint32_t> coordinates_;  ///< by node and dimension; a table is faster than divisions
  std::vector<std::uint32_t> first_port_;
  std::vector<RouterPort> far_ends_;
  std::vector<bool> ways_back_;  ///< by channel, as far_ends_; empty: there are no one-way links
};

/// The topology as a Structure (Grid, SwitchedGrid, one of your own), null where it has another. Code for a
/// structure applies to every topology that has it, whatever its name.
template <class Structure>
const Structure* structure_of(const Topology& topology) {
  return dynamic_cast<const Structure*>(&topology);
}

/// Cycles for which a flit of that many bits occupies a link that carries `width` bits per cycle: ceil(flit /
/// width). 1 if the width is 0, which means that of a flit, or if the link is wider than a flit.
constexpr unsigned cycles_per_flit(unsigned width, unsigned flit_bits) {
  return width == 0 || width >= flit_bits ? 1 : (flit_bits + width - 1) / width;
}

/// A port whose link takes the most cycles per flit; none if every link carries one flit per cycle.
std::optional<RouterPort> narrowest_link(const Topology&, unsigned flit_bits);

/// The name of a router and its node in texts and pictures: "3,4" of router_3_4, "ID" of router_ID in a
/// network from a file; of a switch its whole name.
std::string place_name(const Topology&, RouterId);

}  // namespace flitmend
