// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Duato's fully adaptive minimal routing [Duato93]: any productive port on the adaptive virtual channels,
/// else dimension order on the escape channels (on a torus with its dateline classes). A message may return
/// from an escape channel to an adaptive one. The extended channel dependency graph of the escape channels
/// has no cycle. The proof requires that a waiting head can take any free candidate, and that a virtual
/// channel is given to a new message only when it is empty.
///
/// h: the ways drawn at ties, a bit per dimension; only the escape channels go by them, as both ways are
/// productive.
///
/// Classes: the escape classes first (mesh, hypercube: 0; torus: 0 and 1; one virtual channel each), then the
/// adaptive class.
class Duato : public GridRouting {
 public:
  /// The topology is a grid. `masks`: 2 classes without rings, 3 with.
  Duato(const Topology& topology, std::vector<VcMask> masks, RingTies ties = RingTies::plus)
      : GridRouting(topology, std::move(masks), ties) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_productive() + 1; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;
};

}  // namespace flitmend
