// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/retry_limit.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace flitmend {
namespace {

/// A router as its routing function sees it with the permanent faults alone.
class LastingPorts final : public PortStatus {
 public:
  LastingPorts(const NetworkContext& context, RouterId router) : context_(context), router_(router) {}
  bool faulty(PortId port) const override { return context_.permanent_faults.blocked(router_, port); }
  /// Whether a head can leave by that port. A circuit needs both channels of a link.
  bool leads_on(PortId port) const {
    if (faulty(port)) return false;
    const auto far = context_.topology.neighbour(router_, port);
    return !context_.hardware.holds_paths() || !context_.permanent_faults.blocked(far->router, far->port);
  }

 private:
  const NetworkContext& context_;
  RouterId router_;
};

/// Follows all heads that can be on their way to one destination.
class HeadSearch {
 public:
  HeadSearch(const NetworkContext& context, NodeId destination)
      : context_(context),
        routing_(context.routing),
        destination_(destination),
        candidates_(routing_.max_candidates()) {}

  bool every_head_arrives_from(NodeId source) {
    for (const std::uint64_t h : routing_.initial_states(source, destination_)) inject(source, h);
    bool arrives = !heads_.empty();
    while (arrives && !heads_.empty()) {
      const Head head = heads_.back();
      heads_.pop_back();
      arrives = follow(head);
    }
    return arrives && arrived_;
  }

 private:
  struct Head {
    RouterId here;
    PortId port;  ///< by which it came; RouteRequest::kInjected
    std::uint8_t vc;
    std::uint64_t h;
    auto operator<=>(const Head&) const = default;
  };

  void add(const Head& head) {
    if (seen_.insert(head).second) heads_.push_back(head);
  }
  void inject(RouterId here, std::uint64_t h) { add({here, RouteRequest::kInjected, 0, h}); }

  /// False if the head has no candidate that it can take.
  bool follow(const Head& head) {
    const LastingPorts ports(context_, head.here);
    CandidateList list(candidates_.data(), static_cast<unsigned>(candidates_.size()));
    routing_.route({head.here, 0, destination_, head.port, head.vc, head.h, &ports, nullptr}, list);
    bool any = false;
    for (const RouteCandidate& c : list) {
      if (c.port == routing_.local_port(head.here)) {
        arrived_ |= head.here == destination_;
        if (head.here != destination_) inject(head.here, c.head_state);  // it is absorbed there
      } else if (ports.leads_on(c.port)) {
        const RouterPort far = *context_.topology.neighbour(head.here, c.port);
        VcMask vcs = routing_.class_vcs(head.here, c.port, c.vc_class);
        // Of several virtual channels one stands for all, if the routing function does not look at it.
        if (!routing_.looks_at_arrival()) vcs &= -vcs;
        for (; vcs; vcs &= vcs - 1)
          add({far.router, far.port, static_cast<std::uint8_t>(std::countr_zero(vcs)), c.head_state});
      } else {
        continue;
      }
      any = true;
    }
    return any;
  }

  const NetworkContext& context_;
  const RoutingFunction& routing_;
  NodeId destination_;
  std::vector<RouteCandidate> candidates_;
  std::vector<Head> heads_;
  std::set<Head> seen_;
  bool arrived_ = false;  ///< one of them
};

/// What has been found since the faults changed last.
struct Connections {
  std::uint64_t fault_changes = 0;
  std::map<std::pair<NodeId, NodeId>, bool> found;
};

/// Whether the routing function routes by the permanent faults alone, as it will from now on. Probability
/// vectors are exchanged for some time after a change.
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
  if (!routes_final(context)) return reached(context.permanent_faults, from)[to];
  Connections& known = context.shared<Connections>();
  if (known.fault_changes != context.fault_changes) known.found.clear();
  known.fault_changes = context.fault_changes;
  const auto [answer, unknown] = known.found.try_emplace({from, to});
  if (unknown) answer->second = HeadSearch(context, to).every_head_arrives_from(from);
  return answer->second;
}

bool RetryLimit::reached(const NetworkContext& context, NodeId from, NodeId to, std::uint32_t retries,
                         bool answered) const {
  if (context.node_dead(to) || (most > 0 && retries >= most)) return true;
  return retries >= kRetriesBeforeQuestion &&
         !(connected(context, from, to) && (!answered || connected(context, to, from)));
}

bool RetryLimit::reached_without_route(const NetworkContext& context, NodeId from, NodeId to,
                                       std::uint32_t heads) const {
  return (most > 0 && heads > most) || (heads > kHeadsBeforeQuestion && !connected(context, from, to));
}

}  // namespace flitmend
