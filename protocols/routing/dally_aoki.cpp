// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr OptionKey kReversals{
    .key = {"reversals", "hops",
            "Dimension reversals that a message may make: hops in a lower dimension than the hop before. "
            "After that it follows dimension order.",
            kAlways},
    .values = OptionKey::Number{.initial = 1, .range = {1, 15}}};

unsigned reversals_of(const RoutingSettings& s) {
  return static_cast<unsigned>(s.options.number(kReversals));
}

constexpr const char* kReversalClasses[] = {"no reversal",  "1 reversal",   "2 reversals",  "3 reversals",
                                            "4 reversals",  "5 reversals",  "6 reversals",  "7 reversals",
                                            "8 reversals",  "9 reversals",  "10 reversals", "11 reversals",
                                            "12 reversals", "13 reversals", "14 reversals", "15 reversals"};

/// Dally and Aoki's static algorithm on meshes and hypercubes [Dally93]. A dimension reversal is a hop in a
/// lower dimension than the hop before it. A message that has made d < r of them takes any productive port,
/// on virtual channels of class d (after a further reversal d + 1); the last reversal only leads into the
/// lowest dimension that is left. After r reversals it follows dimension order on class r. No class is left
/// for a lower one, and within a class dimensions only rise, so the channel dependency graph has no cycle.
///
/// h: bits 0 to 7: reversals so far; from bit 8 on: the dimension of the last hop.
class DallyAokiStatic : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid without rings. `masks`: one class per number of reversals, 0 to r.
  DallyAokiStatic(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), most_reversals_(classes() - 1) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const auto reversals = static_cast<unsigned>(request.head_state & 0xff);
    const auto last = static_cast<unsigned>(request.head_state >> 8);
    bool lowest = true;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      const bool first = std::exchange(lowest, false);
      const bool in_order = reversals == most_reversals_;
      if (in_order && !first) return;
      const unsigned after = reversals + (!in_order && dimension < last);
      if (after == most_reversals_ && !first) return;
      if (healthy(request, port))
        out.push({.head_state = after | std::uint64_t{dimension} << 8,
                  .port = port,
                  .vc_class = static_cast<std::uint8_t>(after)});
    });
  }

  unsigned max_candidates() const override { return most_productive(); }
  std::uint32_t mirrored_dimensions() const override { return every_dimension(); }

 private:
  unsigned most_reversals_;
};

}  // namespace

RoutingEntry dally_aoki_static_routing() {
  return {
      .name = "dally-aoki-static",
      .description =
          "partially adaptive: a class of virtual channels per number of dimension reversals, "
          "dimension order in the last",
      .reference = "[Dally93]",
      .structure = is_grid_without_rings,
      .dimensions = {.min = 2},
      .options = {{.key = &kReversals}},
      .examples = {{.options = {{"reversals", 2}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings& s) -> RoutingProperties {
        const unsigned classes = reversals_of(s) + 1;
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {kReversalClasses, kReversalClasses + classes},
                .virtual_channels = classes};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<DallyAokiStatic>(t, spread_evenly(vcs, reversals_of(s) + 1));
      },
  };
}

namespace {

constexpr std::uint64_t kReversalBits = 0xff;
constexpr unsigned kLastShift = 8;
constexpr std::uint64_t kMostReversals = 15;
constexpr std::uint64_t kDeterministic = std::uint64_t{1} << 63;

std::uint64_t after_adaptive_hop(std::uint64_t h, unsigned dimension) {
  const std::uint64_t last = h >> kLastShift & 0xff;
  const std::uint64_t reversals = (h & kReversalBits) + (dimension < last);
  return std::min(reversals, kMostReversals) | std::uint64_t{dimension} << kLastShift;
}

/// Dally and Aoki's dynamic algorithm [Dally93]. A dimension reversal is a hop in a lower dimension than the
/// hop before it. A message takes any productive port on the adaptive virtual channels, each of which is
/// labelled with the number of reversals of the message that holds it. While none is free, the head waits
/// only if one of them has a greater label than its own. Otherwise it goes on in dimension order on the
/// deterministic channels (on a torus with their dateline classes), and stays there. Heads that wait for each
/// other would need labels that rise around a cycle, which is impossible.
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
  /// `safe`: the head may wait for these candidates indefinitely.
  void push_adaptive(const RouteRequest&, bool safe, CandidateList&) const;
  void push_deterministic(const RouteRequest&, CandidateList&) const;

  std::uint8_t adaptive_;
};

}  // namespace

void DallyAokiDynamic::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (request.head_state & kDeterministic) return push_deterministic(request, out);
  if (!request.outputs) {
    push_adaptive(request, false, out);
    push_deterministic(request, out);
  } else if (stays_adaptive(request)) {
    push_adaptive(request, true, out);
  } else {
    push_deterministic(request, out);
    if (out.empty()) push_adaptive(request, false, out);  // a fault has taken the deterministic channel
  }
}

bool DallyAokiDynamic::stays_adaptive(const RouteRequest& request) const {
  const std::uint64_t own = request.head_state & kReversalBits;
  bool stays = false;
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
    if (stays || !healthy(request, port)) return;
    const VcMask adaptive = class_vcs(request.here, port, adaptive_);
    if (request.outputs->free_vcs(port) & adaptive) {
      stays = true;
      return;
    }
    for (VcMask rest = adaptive; rest && !stays; rest &= rest - 1)
      stays = (request.outputs->holder_state(port, static_cast<unsigned>(std::countr_zero(rest))) &
               kReversalBits) > own;
  });
  return stays;
}

void DallyAokiDynamic::push_adaptive(const RouteRequest& request, bool safe, CandidateList& out) const {
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (healthy(request, port))
      // Without outputs there are no labels to compare, so one state stands for all of them.
      out.push({.head_state = request.outputs ? after_adaptive_hop(request.head_state, dimension) : 0,
                .port = port,
                .vc_class = adaptive_,
                .escape = safe});
  });
}

void DallyAokiDynamic::push_deterministic(const RouteRequest& request, CandidateList& out) const {
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const bool plus = left > 0;
  const PortId port = grid_.port(i, plus);
  if (!healthy(request, port)) return;
  out.push({.head_state = kDeterministic,
            .port = port,
            .vc_class = grid_.wraps()
                            ? strict_dateline_class(grid_, request.here, request.destination, i, plus)
                            : std::uint8_t{0},
            .preference = 1,
            .escape = true});
}

RoutingEntry dally_aoki_dynamic_routing() {
  return {
      .name = "dally-aoki-dynamic",
      .description =
          "adaptive minimal until a head would wait for messages with as few dimension reversals, "
          "then dimension order",
      .reference = "[Dally93]",
      .structure = is_grid,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        RoutingProperties p{.adaptivity = Adaptivity::partial,
                            .proof = DeadlockProof::escape_channels,
                            .vc_classes = {"deterministic", "adaptive"},
                            .virtual_channels = 2,
                            .atomic_vc_reallocation = true};
        if (has_rings(t)) {
          p.vc_classes = {"deterministic before the dateline", "deterministic after the dateline",
                          "adaptive"};
          p.virtual_channels = 3;
        }
        return p;
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<DallyAokiDynamic>(t, singles_then_rest(vcs, has_rings(t) ? 2 : 1));
      },
  };
}

}  // namespace flitmend
