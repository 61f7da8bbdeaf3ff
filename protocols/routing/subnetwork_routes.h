// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "topologies/fault_set.h"
#include "topologies/switched_grid.h"

namespace flitmend {

/// A link between a node and its subnetwork of a dimension.
struct SubnetworkLink {
  NodeId node;
  unsigned dimension;
  friend bool operator==(const SubnetworkLink&, const SubnetworkLink&) = default;
};

/// Routes through the subnetworks of a switched grid. Without faults they follow the digits of the
/// destination (Subnetwork). If that route has a fault, a head that goes up in a fat tree takes the next up
/// port, in cyclic order, from which a fault-free route leads to the end. Down, and in RUFT, there is only
/// one route. All routes go up before down, so no channel of a subnetwork depends on an earlier one.
class SubnetworkRoutes {
 public:
  explicit SubnetworkRoutes(const SwitchedGrid& grid) : grid_(grid) {}

  /// Keeps a copy, and determines which switches have a route to which ends: k²·s bits for each subnetwork
  /// with a fault. A single switch has no alternative route, so its faults change nothing here.
  void update_faults(const FaultSet&);

  /// The port of a switch towards the node of its line that has x_i of `to`; none if faults leave no route.
  std::optional<PortId> port(RouterId at, NodeId to) const {
    const unsigned dimension = grid_.switch_dimension(at);
    const std::uint32_t end = grid_.coordinate(to, dimension);
    if (grid_.one_switch_each()) [[likely]]
      return static_cast<PortId>(end);
    if (!faults_ || routes_at(at, dimension).empty())
      return grid_.subnetwork(dimension).port_to(grid_.switch_number(at, dimension), end);
    return port_around(routes_at(at, dimension), at, dimension, end);
  }

  /// Links of nodes that count as faulty because faulty switches and channels inside a subnetwork cut nodes
  /// off from each other: for every two nodes of a line that have healthy links but no route through the
  /// subnetwork in one of the directions, a link of at least one. Among several choices it takes the
  /// node that is in most of the remaining pairs, the first one in a tie. O(k³) for each subnetwork with a
  /// fault inside.
  std::vector<SubnetworkLink> links_cut_off() const;

 private:
  /// A bit for each switch and end of one subnetwork: whether a route leads from one to the other.
  class Routes {
   public:
    Routes() = default;
    explicit Routes(const Subnetwork& s) : ends_(s.k()), bits_(std::size_t{s.switches()} * s.k()) {}
    bool empty() const { return bits_.empty(); }
    bool lead(std::uint32_t at, std::uint32_t end) const { return bits_[std::size_t{at} * ends_ + end]; }
    void set(std::uint32_t at, std::uint32_t end) { bits_[std::size_t{at} * ends_ + end] = true; }

   private:
    std::uint32_t ends_ = 0;
    std::vector<bool> bits_;
  };

  const Routes& routes_at(RouterId at, unsigned dimension) const {
    return routes_[dimension][grid_.line_of_switch(at, dimension)];
  }
  /// The port of a switch that leads to the end. `routes` must be known for the switches after this one.
  std::optional<PortId> port_around(const Routes& routes, RouterId at, unsigned dimension,
                                    std::uint32_t end) const;
  bool leads(const Routes& routes, RouterId at, PortId port, unsigned dimension, std::uint32_t end) const;
  Routes routes_through(RouterId first, unsigned dimension) const;
  /// Whether a switch of the subnetwork, or a channel of one that carries flits, is faulty; kInside: channels
  /// between switches only.
  template <bool kInside>
  bool any_faulty(RouterId first, unsigned dimension) const;
  void cut_off(unsigned dimension, const std::vector<NodeId>& line, std::vector<SubnetworkLink>&) const;

  const SwitchedGrid& grid_;
  std::optional<FaultSet> faults_;           ///< none: nothing is faulty, or every subnetwork is one switch
  std::vector<std::vector<Routes>> routes_;  ///< by dimension and line; empty ones: nothing is faulty there
};

/// Whether a node's link to its subnetwork of a dimension is faulty in a direction that carries flits, or its
/// router, or the switch at its far end.
bool link_faulty(const SwitchedGrid&, const FaultSet&, NodeId, unsigned dimension);

}  // namespace flitmend
