// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/abandonment_judge.h"

#include "protocols/deadlock/route_checks.h"
#include "protocols/routing/registry.h"

namespace flitmend {

AbandonmentJudge::AbandonmentJudge(const NetworkContext& context, unsigned virtual_channels,
                                   const RoutingSettings& settings)
    : context_(context),
      routing_(make_routing(context.topology, virtual_channels, settings)),
      uncrossed_(context.topology),
      channels_(*routing_) {
  routing_->set_seed(context.seed);
}

bool AbandonmentJudge::source_dead(const Message& message) const {
  return context_.permanent_faults.router_faulty(message.source);
}

bool AbandonmentJudge::justified(const Message& message) {
  if (source_dead(message) || context_.permanent_faults.router_faulty(message.destination)) return true;
  if (!explorer_ || fault_changes_ != context_.fault_changes) learn_faults();
  return !always_arrives(message.source, message.destination) ||
         !always_arrives(message.destination, message.source);
}

void AbandonmentJudge::learn_faults() {
  fault_changes_ = context_.fault_changes;
  arrives_.clear();
  routing_->update_faults(context_.permanent_faults);
  uncrossed_ = context_.permanent_faults;
  if (context_.hardware.holds_paths()) {
    for (RouterId router = 0; router < context_.topology.router_count(); ++router)
      for (PortId port = 0; port < context_.topology.port_count(router); ++port)
        if (uncrossed_.channel_faulty(router, port)) uncrossed_.fail_link(router, port);
  }
  explorer_.emplace(*routing_, channels_, &context_.permanent_faults, StateExplorer::kAllStates, &uncrossed_);
}

bool AbandonmentJudge::always_arrives(NodeId from, NodeId to) {
  const auto [answer, unknown] = arrives_.try_emplace({from, to});
  if (!unknown) return answer->second;
  const StateGraph& graph = explorer_->explore(to, from);
  PointOrder order;
  order.find(graph);
  RouteChecks checks;
  add_route_checks(graph, order, true, checks);
  return answer->second = checks.without_route + checks.can_strand == 0;
}

}  // namespace flitmend
