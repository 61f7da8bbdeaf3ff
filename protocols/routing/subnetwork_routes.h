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

/// The ways of messages through the subnetworks of a switched grid. Without faults they follow the digits of
/// the destination (Subnetwork). Where a fault lies ahead on the way, a head that goes up in a fat tree takes
/// the next up port in cyclic order from which a way without faults leads to the end; down, and in RUFT,
/// there is only one. Up before down, so no channel of a subnetwork depends on one before it.
class SubnetworkRoutes {
 public:
  explicit SubnetworkRoutes(const SwitchedGrid& grid) : grid_(grid) {}

  /// Keeps a copy, and finds out which switches have a way to which ends: k²·s bits for each subnetwork with
  /// a fault. One switch has no other way: its faults change nothing here.
  void update_faults(const FaultSet&);

  /// The port of a switch towards the node of its line that has x_i of `to`; none if faults leave no route.
  std::optional<PortId> port(RouterId at, NodeId to) const {
    const unsigned dimension = grid_.switch_dimension(at);
    const std::uint32_t end = grid_.coordinate(to, dimension);
    if (grid_.one_switch_each()) [[likely]]
      return static_cast<PortId>(end);
    if (!faults_ || ways_at(at, dimension).empty())
      return grid_.subnetwork(dimension).port_to(grid_.switch_number(at, dimension), end);
    return port_around(ways_at(at, dimension), at, dimension, end);
  }

  /// Links of nodes that count as faulty because faulty switches and channels inside a subnetwork cut nodes
  /// off from each other: for every two nodes of a line that have healthy links but no route through the
  /// subnetwork in one of the directions, a link of at least one. Among several choices it takes the
  /// node that is in most of the pairs left, of equal ones the first. O(k³) for each subnetwork with a fault
  /// inside.
  std::vector<SubnetworkLink> links_cut_off() const;

 private:
  /// The ways through one subnetwork: a bit for each switch and end, whether there is one.
  class Ways {
   public:
    Ways() = default;
    explicit Ways(const Subnetwork& s) : ends_(s.k()), bits_(std::size_t{s.switches()} * s.k()) {}
    bool empty() const { return bits_.empty(); }
    bool lead(std::uint32_t at, std::uint32_t end) const { return bits_[std::size_t{at} * ends_ + end]; }
    void set(std::uint32_t at, std::uint32_t end) { bits_[std::size_t{at} * ends_ + end] = true; }

   private:
    std::uint32_t ends_ = 0;
    std::vector<bool> bits_;
  };

  const Ways& ways_at(RouterId at, unsigned dimension) const {
    return ways_[dimension][grid_.line_of_switch(at, dimension)];
  }
  /// The port of a switch from which a way leads to the end; `ways` knows those of the switches next on it.
  std::optional<PortId> port_around(const Ways& ways, RouterId at, unsigned dimension,
                                    std::uint32_t end) const;
  bool leads(const Ways& ways, RouterId at, PortId port, unsigned dimension, std::uint32_t end) const;
  Ways ways_through(RouterId first, unsigned dimension) const;
  /// Whether a switch of the subnetwork, or a channel of one that carries flits, is faulty; kInside: channels
  /// between switches only.
  template <bool kInside>
  bool any_faulty(RouterId first, unsigned dimension) const;
  void cut_off(unsigned dimension, const std::vector<NodeId>& line, std::vector<SubnetworkLink>&) const;

  const SwitchedGrid& grid_;
  std::optional<FaultSet> faults_;       ///< none: nothing is faulty, or every subnetwork is one switch
  std::vector<std::vector<Ways>> ways_;  ///< by dimension and line; empty ones: nothing is faulty there
};

/// Whether a node's link to its subnetwork of a dimension is faulty in a direction that carries flits, or its
/// router, or the switch at its far end.
bool link_faulty(const SwitchedGrid&, const FaultSet&, NodeId, unsigned dimension);

}  // namespace flitmend
