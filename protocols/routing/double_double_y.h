// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Double-Double-Y on a 2-D mesh [SBRP section 6.2.3]: a Double-Y network, and one turned by 90 degrees,
/// which has two networks in X instead. A message draws one of the two at its source and stays in it, so the
/// channel dependency graph has no cycle.
///
/// h: bit 0: in the turned network. Bit 1: the message goes in the + direction of X (turned: of Y), drawn if
/// it has no hops there.
///
/// Classes: 0: X of the network that is not turned, and its Y to the west. 1: its Y to the east; X of the
/// turned network to the south. 2: X of the turned network to the north, and its Y.
class DoubleDoubleY : public GridRouting {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 3 classes.
  DoubleDoubleY(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;
};

}  // namespace flitmend
