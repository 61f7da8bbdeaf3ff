// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/abandonment_judge.h"

#include "protocols/recovery/lost_requests.h"
#include "protocols/routing/learnt_loops.h"
#include "protocols/routing/registry.h"
#include "rtl_tlm/fabric/routed_faults.h"

namespace flitmend {

AbandonmentJudge::AbandonmentJudge(const NetworkContext& context, unsigned virtual_channels,
                                   const RoutingSettings& settings)
    : context_(context),
      routing_(make_routing(context.topology, virtual_channels, settings)),
      connections_(*routing_, context) {
  routing_->set_seed(context.seed);
}

bool AbandonmentJudge::source_dead(const Message& message) const {
  return context_.permanent_faults.router_faulty(message.source);
}

bool AbandonmentJudge::request_lost(const Message& message) const {
  return context_.shared<LostRequests>().has(message.source, message.id);
}

bool AbandonmentJudge::justified(const Message& message) {
  if (source_dead(message) || context_.permanent_faults.router_faulty(message.destination)) return true;
  // From then on routers go by more than the faults, and no routing function without registers knows their
  // ways.
  if (context_.shared<LearntLoops>().any_ever()) return true;
  if (fault_changes_ != context_.fault_changes)
    routing_->update_faults(routed_faults(context_.permanent_faults, context_.hardware));
  fault_changes_ = context_.fault_changes;
  return !connections_.joins(message.source, message.destination) ||
         !connections_.joins(message.destination, message.source);
}

}  // namespace flitmend
