// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "protocols/routing/dimension_order.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// Software-based routing around faults [Suh00], [Safaei06]: dimension order on a torus, until the next hop
/// is faulty. Then the network interface absorbs the whole message, and its software injects it again:
///
///   first fault    the other direction around the ring of the same dimension
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
  /// The direction in the present dimension is fixed, and may not be the shorter one.
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

RoutingProperties software_based_properties(const Topology& t, const RoutingSettings& s) {
  const bool halves = s.options.word(kDatelineOption) == "halves";
  RoutingProperties p{
      .adaptivity = Adaptivity::deterministic,
      .proof = halves ? DeadlockProof::escape_channels : DeadlockProof::dependency_graph,
      .vc_classes = {"before the dateline", "after the dateline"},
      .virtual_channels = 2,
      .atomic_vc_reallocation = halves,
      .tolerated_faults = structure_of<Grid>(t)->dimensions() > 1 ? 2u : 1u,
      .absorbs = true,
  };
  if (halves) p.vc_classes.push_back("both");
  return p;
}

const char* needs_datelines(const RoutingSettings& s) {
  return s.options.word(kDatelineOption) == "none"
             ? "without datelines its rings can deadlock; use strict or halves"
             : nullptr;
}

std::unique_ptr<RoutingFunction> make_software_based(const Topology& t, unsigned vcs,
                                                     const RoutingSettings& s) {
  return std::make_unique<SoftwareBased>(t, DimensionOrder::classes_of(t, vcs, s.options),
                                         ring_ties(s.options));
}

}  // namespace

unsigned SoftwareBased::max_candidates() const {
  return std::max({DimensionOrder::max_candidates(), 2u, 2 * (grid_.dimensions() - 1)});
}

unsigned SoftwareBased::dimension(const RouteRequest& q) const {
  if (q.head_state & kLeads) {
    const auto lead = static_cast<unsigned>((q.head_state & kLead) >> kLeadShift);
    return grid_.offset(q.here, q.destination, lead) == 0 ? grid_.dimensions() : lead;
  }
  unsigned i = 0;
  while (i < grid_.dimensions() && grid_.offset(q.here, q.destination, i) == 0) ++i;
  return i;
}

void SoftwareBased::absorb(const RouteRequest& q, std::uint64_t h, CandidateList& out) const {
  out.push({.head_state = before_hop(h), .port = local_port(q.here)});
}

void SoftwareBased::hop(RouteRequest q, std::uint64_t h, unsigned i, bool plus, CandidateList& out) const {
  const bool arrives =
      grid_.coordinate(next(q.here, grid_.port(i, plus)), i) == grid_.coordinate(q.destination, i);
  q.head_state = arrives ? h & ~(kForced | kForcedPlus) : h;
  push_hop(q, q.destination, i, plus, out);
}

void SoftwareBased::step_aside(RouteRequest q, unsigned blocked, CandidateList& out) const {
  q.head_state = (without_direction(q.head_state) & ~(kAside | kLead)) | kStepped | kLeads |
                 std::uint64_t{blocked} << kLeadShift;
  // On its own dateline class only, so that all steps have one preference.
  const auto step = [&](unsigned i) {
    for (const bool plus : {true, false}) {
      const PortId port = grid_.port(i, plus);
      if (!healthy(q, port)) continue;
      std::array<RouteCandidate, 2> storage;
      CandidateList hop(storage.data(), storage.size());
      push_hop(q, next(q.here, port), i, plus, hop);
      RouteCandidate own = hop[hop.size() - 1];
      own.preference = 0;
      out.push(own);
    }
  };
  for (unsigned i = 0; i < grid_.dimensions(); ++i)
    if (i != blocked) step(i);
  if (!out.empty()) return;
  q.head_state |= kAside;  // a dead end: back, and aside there
  step(blocked);
}

void SoftwareBased::route(const RouteRequest& q, CandidateList& out) const {
  if (q.here == q.destination) {
    consume(q, out);
    return;
  }
  const std::uint64_t h = q.head_state;
  const bool injected = q.arrival_port == RouteRequest::kInjected;
  if (h & kStepped) {
    absorb(q, h & ~kStepped, out);
    return;
  }
  const unsigned i = dimension(q);
  if (i == grid_.dimensions()) {  // the dimension that came first is done
    absorb(q, without_direction(h) & ~(kLeads | kLead), out);
    return;
  }
  if (h & kAside) {
    step_aside(q, i, out);
    return;
  }
  const bool forced = h & kForced;
  const bool plus = forced ? (h & kForcedPlus) != 0 : goes_plus(h, i, grid_.offset(q.here, q.destination, i));
  if (healthy(q, grid_.port(i, plus))) {
    hop(q, h, i, plus, out);
  } else if (!injected) {
    absorb(q, forced ? without_direction(h) | kAside : with_direction(h, !plus), out);
  } else if (!forced && healthy(q, grid_.port(i, !plus))) {
    hop(q, with_direction(h, !plus), i, !plus, out);
  } else {
    step_aside(q, i, out);
  }
}

RoutingEntry software_based_routing() {
  return {
      .name = "software-based",
      .description =
          "dimension order; before a fault a message is absorbed and injected again, in the other direction "
          "or "
          "past it",
      .reference = "[Suh00]",
      .structure = is_torus,
      .options = {{.key = &kDatelineOption, .conflict = needs_datelines}, {.key = &kTiesOption}},
      .examples = {{.options = {{"dateline", "strict"}}},
                   {.options = {{"dateline", "halves"}}},
                   {.options = {{"ties", "plus"}}}},
      .default_selection = "random",
      .properties = software_based_properties,
      .make = make_software_based,
  };
}

}  // namespace flitmend
