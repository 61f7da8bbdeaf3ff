// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// What can go wrong with single messages, apart from deadlock.
struct RouteChecks {
  using Pair = std::pair<NodeId, NodeId>;  ///< source, destination
  static constexpr std::size_t kExamples = 8;

  std::size_t pairs = 0;          ///< of nodes that send and receive
  std::size_t without_route = 0;  ///< pairs whose destination cannot be reached by any choice of candidates
  std::size_t can_strand = 0;     ///< pairs with a route, but a choice that ends without a candidate
  std::vector<Pair> without_route_examples;
  std::vector<Pair> can_strand_examples;
  /// Channels of a cycle in which a message can circulate forever, and its destination; empty: none.
  std::vector<ChannelId> livelock;
  NodeId livelock_destination = 0;

  /// Adds the findings of destinations after those that are here.
  void add(const RouteChecks&);
  bool sound() const { return without_route == 0 && can_strand == 0 && livelock.empty(); }
};

/// Adds the findings of one destination. `randomised` (RoutingFunction): a cycle counts only if a message
/// cannot leave it.
void add_route_checks(const StateGraph&, const PointOrder&, bool randomised, RouteChecks&);

}  // namespace flitmend
