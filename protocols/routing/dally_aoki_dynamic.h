// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"

namespace flitmend {

/// Dally and Aoki's dynamic algorithm [Dally93]. A dimension reversal is a hop in a lower dimension than the
/// hop before it. A message takes any productive port on the adaptive virtual channels, each of which is
/// labelled with the number of reversals of the message that holds it. While none is free, the head waits
/// only if one of them has a greater label than its own. Otherwise it goes on in dimension order on the
/// deterministic channels (on a torus with their dateline classes), and stays there. Heads that wait for each
/// other would have labels that rise in a circle, so there is none.
///
/// h: bits 0 to 7: reversals so far, counted up to 15, which waits for nobody; bits 8 to 15: the dimension of
/// the last hop; bit 63: on the deterministic channels.
///
/// Classes: the deterministic ones (mesh, hypercube: 0; torus: 0 and 1; one virtual channel each), then the
/// adaptive one.
class DallyAokiDynamic : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid. `masks`: 2 classes without rings, 3 with.
  DallyAokiDynamic(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), adaptive_(grid_.wraps() ? 2 : 1) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1 + most_productive(); }
  bool looks_at_outputs() const override { return true; }
  bool has_escape_channels() const override { return true; }
  /// The dateline is in one place of a ring.
  std::uint32_t mirrored_dimensions() const override { return grid_.wraps() ? 0 : every_dimension(); }

 private:
  /// Whether an adaptive virtual channel of a productive port is free, or may be waited for.
  bool stays_adaptive(const RouteRequest&) const;
  /// `safe`: the head may wait for these candidates as long as it takes.
  void push_adaptive(const RouteRequest&, bool safe, CandidateList&) const;
  void push_deterministic(const RouteRequest&, CandidateList&) const;

  std::uint8_t adaptive_;
};

}  // namespace flitmend
