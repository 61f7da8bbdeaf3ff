// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/dally_aoki_static.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

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

}  // namespace

void DallyAokiStatic::route(const RouteRequest& request, CandidateList& out) const {
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
