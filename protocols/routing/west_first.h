// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// West-first on a 2-D mesh (Glass, Ni): all hops to the west come first, after them any productive port. No
/// turn into the west is allowed, so the plain channel dependency graph has no cycle.
class WestFirst : public GridRouting {
 public:
  /// `masks`: 1 class.
  WestFirst(const Grid& grid, std::vector<VcMask> masks) : GridRouting(grid, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
};

}  // namespace flitmend
