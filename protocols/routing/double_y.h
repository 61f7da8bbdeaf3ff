// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/port_class_routing.h"

namespace flitmend {

/// Double-Y on a 2-D mesh [Ni93]: two virtual networks, each with its own virtual channels in Y. One serves
/// messages to the east, one those to the west; a message without hops in X draws one at its source. It takes
/// any productive port in its network. No message turns back in X, so the channel dependency graph has no
/// cycle.
///
/// h: 1 in the network to the east.
///
/// Classes: 0: X, and Y of the network to the west. 1: Y of the network to the east.
class DoubleY : public PortClassRouting {
 public:
  /// The topology is a mesh of 2 dimensions. At least 2 virtual channels.
  DoubleY(const Topology& topology, unsigned vcs)
      : PortClassRouting(topology, vcs, 2,
                         [](unsigned dimension, bool, unsigned c) { return c == 0 || dimension == 1; }) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;
};

}  // namespace flitmend
