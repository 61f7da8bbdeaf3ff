// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"

namespace flitmend {

/// West-first on a 2-D mesh [Glass92]: all hops to the west come first, then any productive port. No turn to
/// the west is allowed, so the channel dependency graph has no cycle.
class WestFirst : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 1 class.
  WestFirst(const Topology& topology, std::vector<VcMask> masks) : GridRouting(topology, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
  std::uint32_t mirrored_dimensions() const override { return 1u << 1; }
};

}  // namespace flitmend
