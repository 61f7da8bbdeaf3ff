// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/safe_cube_routing.h"

namespace flitmend {

/// Lee and Hayes' fault-tolerant routing on a hypercube [Lee92]: a message makes hop i on virtual channels of
/// class i, counted from 0. The class rises with every hop, so the channel dependency graph has no cycle.
class LeeHayes final : public SafeCubeRouting {
 public:
  /// The topology is a hypercube of n dimensions. `masks`: n + 1 classes.
  LeeHayes(const Topology& topology, std::vector<VcMask> masks, UnsafeRule rule)
      : SafeCubeRouting(topology, std::move(masks), rule) {}

  void route(const RouteRequest&, CandidateList&) const override;
};

}  // namespace flitmend
