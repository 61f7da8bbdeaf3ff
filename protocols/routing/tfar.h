// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"

namespace flitmend {

/// True fully adaptive minimal routing [SBRP]: any productive port, any virtual channel. It can deadlock: use
/// it for study, or with detection and recovery.
class Tfar : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid. `masks`: 1 class.
  Tfar(const Topology& topology, std::vector<VcMask> masks) : GridRouting(topology, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_productive(); }
  std::uint32_t mirrored_dimensions() const override { return every_dimension(); }
};

}  // namespace flitmend
