// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Deterministic minimal routing, lowest dimension first: XY on a 2-D mesh, e-cube on a hypercube, dimension
/// order with dateline classes on a torus (Dally, Seitz). But for the option halves, the plain channel
/// dependency graph has no cycle.
///
/// Datelines: *strict* takes class 0 before the dateline, class 1 behind it and where the message never
/// crosses it. *balanced* lets the messages that never cross keep a class drawn at the source, so both
/// classes carry like loads. *halves* lets them take any virtual channel, while those that cross keep to the
/// low half before the dateline and to the high half behind it; then the plain graph has a cycle, but the
/// strict classes are escape channels within it.
///
/// h: bit 0 the drawn class (balanced), bit 1 whether the message has crossed the dateline of the dimension
/// that it is in (balanced, halves).
class DimensionOrder : public GridRouting {
 public:
  enum class Dateline { none, strict, balanced, halves };

  /// `masks`: 1 class without datelines (mesh, hypercube), 2 with (torus), for halves as third all of them.
  DimensionOrder(const Grid& grid, std::vector<VcMask> masks, Dateline dateline)
      : GridRouting(grid, std::move(masks)), dateline_(dateline) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return dateline_ == Dateline::halves ? 2 : 1; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;

 private:
  Dateline dateline_;
};

}  // namespace flitmend
