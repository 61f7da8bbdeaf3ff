// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Duato's fully adaptive minimal routing: any productive port on the adaptive virtual channels, else
/// dimension order on the escape channels (on a torus with its dateline classes). A message may return from
/// an escape to an adaptive channel. The extended dependency graph of the escape channels has no cycle, so a
/// waiting head must be able to take any free candidate, and a virtual channel is given to a new message only
/// when it is empty.
///
/// Classes: the escapes first (mesh, hypercube: 0; torus: 0 and 1, one virtual channel each), then the
/// adaptive one.
class Duato : public GridRouting {
 public:
  /// `masks`: 2 classes on mesh and hypercube, 3 on a torus.
  Duato(const Grid& grid, std::vector<VcMask> masks) : GridRouting(grid, std::move(masks)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_productive() + 1; }
};

}  // namespace flitmend
