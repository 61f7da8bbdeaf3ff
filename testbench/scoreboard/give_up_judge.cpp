// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/give_up_judge.h"

#include "protocols/deadlock/route_checks.h"
#include "protocols/routing/registry.h"

namespace flitmend {

GiveUpJudge::GiveUpJudge(const NetworkContext& context, unsigned virtual_channels,
                         const RoutingSettings& settings)
    : context_(context), routing_(make_routing(context.topology, virtual_channels, settings)) {
  routing_->set_seed(context.seed);
}

bool GiveUpJudge::source_dead(const Message& message) const {
  return context_.permanent_faults.router_faulty(message.source);
}

bool GiveUpJudge::justified(const Message& message) {
  if (source_dead(message) || context_.permanent_faults.router_faulty(message.destination)) return true;
  if (fault_changes_ != context_.fault_changes) {
    fault_changes_ = context_.fault_changes;
    arrives_.clear();
    routing_->update_faults(context_.permanent_faults);
  }
  return !always_arrives(message.source, message.destination) ||
         !always_arrives(message.destination, message.source);
}

bool GiveUpJudge::always_arrives(NodeId from, NodeId to) {
  const auto [answer, unknown] = arrives_.try_emplace({from, to});
  if (!unknown) return answer->second;
  const ChannelMap channels(*routing_);
  StateExplorer explorer(*routing_, channels, &context_.permanent_faults);
  const StateGraph& graph = explorer.explore(to, from);
  PointOrder order;
  order.find(graph);
  RouteChecks checks;
  add_route_checks(graph, order, true, checks);
  return answer->second = checks.without_route + checks.can_strand == 0;
}

}  // namespace flitmend
