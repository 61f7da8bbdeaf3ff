// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "protocols/deadlock/state_graph.h"
#include "rtl_tlm/context.h"

namespace flitmend {

/// Which nodes messages reach with the permanent faults of a network alone. Each pair is searched once per
/// set of faults.
class LastingConnections {
 public:
  /// Both must outlive it. The routing function routes by no other faults whenever joins() is called.
  LastingConnections(const RoutingFunction&, const NetworkContext&);

  /// Whether every message from one node to another arrives: both live, there is a route, and no choice of
  /// candidates ends in a router without one (RouteChecks).
  bool joins(NodeId from, NodeId to);

 private:
  void learn_faults();

  const RoutingFunction& routing_;
  const NetworkContext& context_;
  ChannelMap channels_;
  FaultSet uncrossed_;                     ///< the faults, with both channels of a link where paths are held
  std::optional<StateExplorer> explorer_;  ///< with the faults
  std::uint64_t fault_changes_ = 0;        ///< those that it knows
  std::map<std::pair<NodeId, NodeId>, bool> joined_;
};

}  // namespace flitmend
