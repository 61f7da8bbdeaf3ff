// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/lasting_connections.h"

#include "protocols/deadlock/route_checks.h"
#include "rtl_tlm/fabric/routed_faults.h"

namespace flitmend {

LastingConnections::LastingConnections(const RoutingFunction& routing, const NetworkContext& context)
    : routing_(routing), context_(context), channels_(routing), uncrossed_(context.topology) {}

void LastingConnections::learn_faults() {
  fault_changes_ = context_.fault_changes;
  joined_.clear();
  uncrossed_ = routed_faults(context_.permanent_faults, context_.hardware);
  explorer_.emplace(routing_, channels_, &context_.permanent_faults, StateExplorer::kAllStates, &uncrossed_);
}

bool LastingConnections::joins(NodeId from, NodeId to) {
  if (!explorer_ || fault_changes_ != context_.fault_changes) learn_faults();
  const auto [answer, unknown] = joined_.try_emplace({from, to});
  if (!unknown) return answer->second;
  const StateGraph& graph = explorer_->explore(to, from);
  PointOrder order;
  order.find(graph);
  RouteChecks checks;
  add_route_checks(graph, order, true, checks);
  return answer->second = checks.pairs > checks.without_route + checks.can_strand;
}

}  // namespace flitmend
