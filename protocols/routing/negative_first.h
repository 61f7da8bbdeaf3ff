// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Negative-first on a mesh of n dimensions [Glass92]: productive ports in negative directions first, then
/// those in positive ones. P-cube on a hypercube [Glass92] is the same with the signs exchanged: hops that
/// set a bit of the node's number (0 to 1) first, then hops that clear one. No message turns back from the
/// second kind of direction to the first, so the channel dependency graph has no cycle.
class NegativeFirst : public GridRouting {
 public:
  /// The topology is a grid without rings. `masks`: 1 class. `plus_first`: as p-cube.
  NegativeFirst(const Topology& topology, std::vector<VcMask> masks, bool plus_first)
      : GridRouting(topology, std::move(masks)), plus_first_(plus_first) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_productive(); }

 private:
  bool plus_first_;
};

}  // namespace flitmend
