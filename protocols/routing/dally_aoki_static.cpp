// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

constexpr OptionKey kReversals{
    .key = {"reversals", "hops",
            "Hops in a lower dimension than the hop before that a message may make; after that it follows "
            "dimension order.",
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

}  // namespace flitmend
