// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"

namespace flitmend {

/// Dally and Aoki's static algorithm on meshes and hypercubes [Dally93]. A dimension reversal is a hop in a
/// lower dimension than the hop before it. A message that has made d < r of them takes any productive port,
/// on virtual channels of class d (after a further reversal d + 1); the last reversal only leads into the
/// lowest dimension that is left. After r reversals it follows dimension order on class r. No class is left
/// for a lower one, and within a class dimensions only rise, so the channel dependency graph has no cycle.
///
/// h: bits 0 to 7: reversals so far; from bit 8 on: the dimension of the last hop.
class DallyAokiStatic : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid without rings. `masks`: one class per number of reversals, 0 to r.
  DallyAokiStatic(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), most_reversals_(classes() - 1) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_productive(); }
  std::uint32_t mirrored_dimensions() const override { return every_dimension(); }

 private:
  unsigned most_reversals_;
};

}  // namespace flitmend
