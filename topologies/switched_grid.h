// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "topologies/topology.h"

namespace flitmend {

/// The structure of networks whose nodes are joined by switches along their dimensions: in dimension i the
/// k_i nodes that differ only in x_i share a k_i-port switch. Node port i leads to the node's switch of
/// dimension i; switch port c leads to the node with x_i = c. The switches follow the nodes, dimension 0
/// first, in each dimension in the order of the other coordinates.
class SwitchedGrid : public Topology {
 public:
  /// The dimension that a switch serves.
  unsigned switch_dimension(RouterId router) const {
    unsigned i = 0;
    while (router >= first_switch_[i + 1]) ++i;
    return i;
  }
  /// The switch of a node in a dimension.
  RouterId switch_of(NodeId node, unsigned dimension) const {
    const std::uint32_t stride = stride_[dimension];
    return first_switch_[dimension] + node / stride / radix(dimension) * stride + node % stride;
  }

  std::vector<std::uint32_t> coordinates(RouterId) const override;
  std::optional<LinkDirection> direction(RouterId, PortId) const override;
  std::string router_name(RouterId) const override;
  std::string port_name(RouterId, PortId) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint64_t bisection_channels() const override;
  std::uint32_t diameter() const override;

 protected:
  /// At least one dimension, radices from 2 to kMaxSwitchPorts, at most kMaxNodes nodes.
  SwitchedGrid(std::string_view name, std::vector<std::uint32_t> radices);

 private:
  std::vector<std::uint32_t> stride_;
  std::vector<RouterId> first_switch_;  ///< by dimension; at the end the number of routers
};

bool is_switched_grid(const Topology&);

}  // namespace flitmend
