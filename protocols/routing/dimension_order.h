// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"

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
/// current dimension (balanced, halves); from bit 2 on, the directions drawn at ties.
class DimensionOrder : public GridRouting, public OffsetClasses {
 public:
  enum class Dateline { none, strict, balanced, halves };
  /// Dateline classes and their virtual channels: 1 class without datelines (no rings), else 2, and with
  /// halves a third one with all virtual channels.
  struct Classes {
    Dateline dateline;
    std::vector<VcMask> masks;
  };
  /// As the option says.
  static Classes classes_of(const Topology&, unsigned vcs, const OptionValues&);

  /// The topology is a grid.
  DimensionOrder(const Topology& topology, Classes classes, RingTies ties = RingTies::plus,
                 unsigned first_tie_bit = kFirstFreeBit)
      : GridRouting(topology, std::move(classes.masks), ties, first_tie_bit),
        OffsetClasses(grid_, Looks::in_order),
        dateline_(classes.dateline) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return dateline_ == Dateline::halves ? 2 : 1; }
  std::uint64_t initial_state(NodeId source, NodeId destination, RandomStream& random) const override;
  std::vector<std::uint64_t> initial_states(NodeId source, NodeId destination) const override;

 protected:
  static constexpr unsigned kFirstFreeBit = 2;  ///< of h
  /// Appends the candidates for a hop in dimension i towards `target`'s coordinate in it, where the
  /// direction may be the longer one.
  void push_hop(const RouteRequest&, NodeId target, unsigned i, bool plus, CandidateList&) const;
  /// h without the bits about the current dimension.
  static std::uint64_t before_hop(std::uint64_t h) { return h & ~kCrossed; }

 private:
  static constexpr std::uint64_t kDrawnClass = 1;
  static constexpr std::uint64_t kCrossed = 2;
  static constexpr std::uint8_t kAnyClass = 2;
  /// The bits of h that are drawn at the source.
  std::uint64_t drawn_bits(NodeId source, NodeId destination) const;

  Dateline dateline_;
};

/// The option `dateline`.
extern const OptionKey kDatelineOption;

inline void DimensionOrder::push_hop(const RouteRequest& request, NodeId target, unsigned i, bool plus,
                                     CandidateList& out) const {
  const std::uint64_t h = after_hop(request.head_state, i);
  RouteCandidate c{.head_state = h, .port = grid_.port(i, plus)};
  if (dateline_ == Dateline::none) {
    out.push(c);
    return;
  }
  c.vc_class = strict_dateline_class(grid_, request.here, target, i, plus);
  if (dateline_ != Dateline::strict) {
    const bool crossed = h & kCrossed;
    const bool never_crosses = c.vc_class == 1 && !crossed;
    const std::uint32_t x = grid_.coordinate(request.here, i);
    const std::uint32_t last = plus ? grid_.radix(i) - 1 : 0;
    const bool crosses = x == last;
    const std::uint32_t next = crosses ? grid_.radix(i) - 1 - last : plus ? x + 1 : x - 1;
    const bool arrives = next == grid_.coordinate(target, i);
    c.head_state = (h & ~kCrossed) | (!arrives && (crossed || crosses) ? kCrossed : 0);
    if (dateline_ == Dateline::halves) {
      if (never_crosses) out.push({.head_state = c.head_state, .port = c.port, .vc_class = kAnyClass});
      c.preference = never_crosses;
      c.escape = true;
    } else if (never_crosses) {
      c.vc_class = h & kDrawnClass;
    }
  }
  out.push(c);
}

}  // namespace flitmend
