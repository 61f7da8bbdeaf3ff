// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/retry_limit.h"

#include <optional>

#include "protocols/recovery/lasting_connections.h"
#include "rtl_tlm/fabric/routed_faults.h"

namespace flitmend {
namespace {

/// The connections of a network's own routing function.
struct OwnConnections {
  std::optional<LastingConnections> lasting;
};

/// Whether the routing function routes by the permanent faults alone, as it will from now on. The
/// exchange of probability vectors takes some time after a change.
bool routes_final(const NetworkContext& context) {
  constexpr Cycle kLongestExchange = 10'000;
  const RoutingFunction& routing = context.routing;
  if (!routing.knows_all_faults() && !routing.needs_management()) return true;
  if (context.sources_stopped || context.faults.count() > context.permanent_faults.count()) return false;
  return context.hardware.vector_elements == 0 ||
         context.next_cycle >= context.last_fault_change + kLongestExchange;
}

}  // namespace

bool connected(const NetworkContext& context, NodeId from, NodeId to) {
  if (context.node_dead(to)) return false;
  if (!routes_final(context))
    return flitmend::reached(routed_faults(context.permanent_faults, context.hardware), from)[to];
  auto& lasting = context.shared<OwnConnections>().lasting;
  if (!lasting) lasting.emplace(context.routing, context);
  return lasting->joins(from, to);
}

bool RetryLimit::reached(const NetworkContext& context, NodeId from, NodeId to, std::uint32_t retries,
                         bool answered, Cycle wait) const {
  if (context.node_dead(to) || (most > 0 && retries >= most)) return true;
  return (retries >= kRetriesBeforeQuestion || wait >= kLongWait) &&
         !(connected(context, from, to) && (!answered || connected(context, to, from)));
}

bool RetryLimit::reached_without_route(const NetworkContext& context, NodeId from, NodeId to,
                                       std::uint32_t heads) const {
  return (most > 0 && heads > most) || (heads > kHeadsBeforeQuestion && !connected(context, from, to));
}

}  // namespace flitmend
