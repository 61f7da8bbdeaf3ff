// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/dimension_order.h"

namespace flitmend {

/// Software-based routing around faults [Suh00], [Safaei06]: dimension order on a torus, until the next hop
/// is faulty. Then the network interface absorbs the whole message, and its software injects it again:
///
///   first fault    the other way around the ring of the same dimension
///   second fault   a step in a perpendicular dimension, where it is absorbed; then through the blocked
///                  dimension along this ring, where it is absorbed again at the end; then as a new message
///
/// A message whose first hop is faulty is readdressed before it enters the network. All steps from one
/// absorption to the next are those of dimension order, so the dependency graph of the channels is too.
///
/// One of several perpendicular steps is drawn at random, so a message can circulate, but not forever.
///
/// h: bits 0 and 1 as in DimensionOrder; the others are below.
class SoftwareBased : public DimensionOrder {
 public:
  /// The topology is a torus.
  SoftwareBased(const Topology& topology, Classes classes, RingTies ties)
      : DimensionOrder(topology, std::move(classes), ties, kFirstTieBit) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override;
  /// Whether it was injected here.
  bool looks_at_arrival() const override { return true; }
  bool randomised() const override { return true; }

 private:
  /// The direction in the present dimension is given, not the shorter way.
  static constexpr std::uint64_t kForced = 1u << kFirstFreeBit;
  static constexpr std::uint64_t kForcedPlus = kForced << 1;  ///< that direction
  static constexpr std::uint64_t kAside = kForced << 2;       ///< a perpendicular step comes next
  static constexpr std::uint64_t kStepped = kForced << 3;     ///< the next router absorbs it
  static constexpr std::uint64_t kLeads = kForced << 4;       ///< one dimension comes first: the one in …
  static constexpr unsigned kLeadShift = kFirstFreeBit + 5;
  static constexpr std::uint64_t kLead = std::uint64_t{31} << kLeadShift;
  static constexpr unsigned kFirstTieBit = kLeadShift + 5;

  static std::uint64_t without_direction(std::uint64_t h) { return before_hop(h) & ~(kForced | kForcedPlus); }
  static std::uint64_t with_direction(std::uint64_t h, bool plus) {
    return without_direction(h) | kForced | (plus ? kForcedPlus : 0);
  }
  RouterId next(RouterId here, PortId port) const { return grid_.neighbour(here, port)->router; }
  /// The dimension of the next hop; dimensions() if there is none before the message is absorbed.
  unsigned dimension(const RouteRequest&) const;
  void absorb(const RouteRequest&, std::uint64_t h, CandidateList&) const;
  void hop(RouteRequest, std::uint64_t h, unsigned dimension, bool plus, CandidateList&) const;
  void step_aside(RouteRequest, unsigned blocked, CandidateList&) const;
};

}  // namespace flitmend
