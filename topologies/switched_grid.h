// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/subnetwork.h"
#include "topologies/topology.h"

namespace flitmend {

/// The structure of networks whose nodes are joined by switches along their dimensions: in dimension i a
/// subnetwork joins the k_i nodes that differ only in x_i, and x_i is the number of its end. Node port i
/// leads into the node's subnetwork of dimension i; it also leads out of it or, where links have one
/// direction, port n + i does. The switches follow the nodes, dimension 0 first, in each dimension subnetwork
/// by subnetwork in the order of the other coordinates.
class SwitchedGrid : public Topology {
 public:
  /// That of each line of a dimension.
  const Subnetwork& subnetwork(unsigned dimension) const { return subnetworks_[dimension]; }
  /// Whether every subnetwork is one switch.
  bool one_switch_each() const { return one_switch_each_; }
  /// The dimension that a switch serves.
  unsigned switch_dimension(RouterId router) const {
    unsigned i = 0;
    while (router >= first_switch_[i + 1]) ++i;
    return i;
  }
  /// The number of a switch in its subnetwork.
  std::uint32_t switch_number(RouterId router, unsigned dimension) const {
    return (router - first_switch_[dimension]) % subnetworks_[dimension].switches();
  }
  /// The number of its subnetwork among those of the dimension.
  std::uint32_t line_of_switch(RouterId router, unsigned dimension) const {
    return (router - first_switch_[dimension]) / subnetworks_[dimension].switches();
  }
  /// The switch through which a node's messages enter its subnetwork of a dimension.
  RouterId switch_of(NodeId node, unsigned dimension) const {
    return first_switch_of(node, dimension) + subnetworks_[dimension].entry(coordinate(node, dimension)).at;
  }
  /// The port of a switch through which messages leave a node's subnetwork of a dimension for the node.
  RouterPort exit_to(NodeId node, unsigned dimension) const {
    const Subnetwork::Port exit = subnetworks_[dimension].exit(coordinate(node, dimension));
    return {first_switch_of(node, dimension) + exit.at, exit.port};
  }

  std::vector<std::uint32_t> coordinates(RouterId) const override;
  std::optional<LinkDirection> direction(RouterId, PortId) const override;
  std::string router_name(RouterId) const override;  ///< "switch_d0_2", "switch_d0_2_stage1_3"
  std::string port_name(RouterId, PortId) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint64_t bisection_channels() const override;
  std::uint32_t diameter() const override;

 protected:
  /// A subnetwork per dimension, at least one; at most kMaxNodes nodes; ports of a node and of a switch at
  /// most kMaxSwitchPorts.
  SwitchedGrid(std::string_view name, std::vector<Subnetwork> subnetworks);

 private:
  RouterId first_switch_of(NodeId node, unsigned dimension) const {
    const std::uint32_t stride = stride_[dimension];
    return first_switch_[dimension] +
           (node / stride / radix(dimension) * stride + node % stride) * subnetworks_[dimension].switches();
  }
  void connect_inside(RouterId first, const Subnetwork&);

  std::vector<Subnetwork> subnetworks_;
  std::vector<std::uint32_t> stride_;
  std::vector<RouterId> first_switch_;  ///< by dimension; at the end the number of routers
  bool one_switch_each_;
};

bool is_switched_grid(const Topology&);

}  // namespace flitmend
