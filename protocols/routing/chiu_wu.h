// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/safe_cube_routing.h"

namespace flitmend {

/// Lee and Hayes' hops on the virtual channels of Chiu and Wu [Chiu96], of which there are fewer: a message
/// rises to the next class when it sets a bit of the node's number after it has cleared one. In one class
/// hops that set bits come before those that clear them, so the channel dependency graph has no cycle.
///
/// h: as of SafeCubeRouting; bits 16 to 23: class; bit 24: the last hop has cleared a bit.
class ChiuWu final : public SafeCubeRouting {
 public:
  /// The topology is a hypercube. `masks`: most_classes(dimensions) classes.
  ChiuWu(const Topology& topology, std::vector<VcMask> masks, UnsafeRule rule)
      : SafeCubeRouting(topology, std::move(masks), rule) {}

  void route(const RouteRequest&, CandidateList&) const override;

  /// Every second hop of the longest way rises: 5 with 7 dimensions.
  static unsigned most_classes(unsigned dimensions) { return most_hops(dimensions) / 2 + 1; }
};

}  // namespace flitmend
