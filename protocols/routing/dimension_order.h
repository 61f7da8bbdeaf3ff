// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Deterministic minimal routing, lowest dimension first: XY on a 2-D mesh, e-cube on a hypercube, dimension
/// order with dateline classes on a torus [Dally87]. Except for the option halves, the channel dependency
/// graph has no cycle.
///
/// Datelines. *strict*: class 0 before the dateline, class 1 after it and for messages that never cross it.
/// *balanced*: messages that never cross keep a class drawn at the source, so that both classes carry similar
/// loads. *halves*: messages that never cross take any virtual channel; those that cross use the low half
/// before the dateline and the high half after it. With halves the channel dependency graph has a cycle, but
/// the strict classes are escape channels within it.
///
/// *none*: messages on rings take any virtual channel. A ring of 4 or more nodes then has a cycle of
/// dependent channels, the textbook's deadlock.
///
/// h: bit 0 is the drawn class (balanced); bit 1 says whether the message has crossed the dateline of its
/// current dimension (balanced, halves); from bit 2 on, the ways drawn at ties.
class DimensionOrder : public GridRouting {
 public:
  enum class Dateline { none, strict, balanced, halves };

  /// The topology is a grid. `masks`: 1 class without datelines (no rings), 2 with datelines; for halves a
  /// third class with all virtual channels.
  DimensionOrder(const Topology& topology, std::vector<VcMask> masks, Dateline dateline,
                 RingTies ties = RingTies::plus)
      : GridRouting(topology, std::move(masks), ties, kFirstTieBit), dateline_(dateline) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return dateline_ == Dateline::halves ? 2 : 1; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;

 private:
  static constexpr unsigned kFirstTieBit = 2;
  /// The bits of h that are drawn at the source.
  std::uint64_t drawn_bits(NodeId source, NodeId destination) const;

  Dateline dateline_;
};

}  // namespace flitmend
