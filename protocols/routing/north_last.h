// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// North-last on a 2-D mesh [Glass92]: any productive port except north; north once nothing else is left. No
/// turn out of the north is ever made, so the channel dependency graph has no cycle.
class NorthLast : public GridRouting {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 1 class.
  NorthLast(const Topology& topology, std::vector<VcMask> masks) : GridRouting(topology, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
};

}  // namespace flitmend
