// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/registry.h"
#include "protocols/routing/safe_cube_routing.h"

namespace flitmend {
namespace {

constexpr const char* kHops[] = {"hop 1",  "hop 2",  "hop 3",  "hop 4",  "hop 5",  "hop 6",
                                 "hop 7",  "hop 8",  "hop 9",  "hop 10", "hop 11", "hop 12",
                                 "hop 13", "hop 14", "hop 15", "hop 16", "hop 17", "hop 18"};
constexpr unsigned kMostCubeDimensions = std::size(kHops) - 1;

/// Lee and Hayes' fault-tolerant routing on a hypercube [Lee92]: a message makes hop i on virtual channels of
/// class i, counted from 0. The class rises with every hop, so the channel dependency graph has no cycle.
class LeeHayes final : public SafeCubeRouting {
 public:
  /// The topology is a hypercube of n dimensions. `masks`: n + 1 classes.
  LeeHayes(const Topology& topology, std::vector<VcMask> masks, UnsafeRule rule)
      : SafeCubeRouting(topology, std::move(masks), rule) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const auto vc_class = static_cast<std::uint8_t>(hops_of(request.head_state));
    for_each_hop(request, [&](PortId port, std::uint64_t h) {
      out.push({.head_state = h, .port = port, .vc_class = vc_class});
    });
  }
};

}  // namespace

RoutingEntry lee_hayes_routing() {
  return {
      .name = "lee-hayes",
      .description =
          "adaptive around faulty nodes of a hypercube, avoiding unsafe ones; a class of virtual "
          "channels per hop",
      .reference = "[Lee92]",
      .structure = is_hypercube,
      .dimensions = {.max = kMostCubeDimensions},
      .options = {{.key = &kUnsafeOption}},
      .examples = {{.options = {{"unsafe", "wu-fernandez"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        const unsigned classes = SafeCubeRouting::most_hops(t.dimensions());
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {kHops, kHops + classes},
                .virtual_channels = classes,
                .tolerated_faults = tolerated_by_safe_routing(t)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        const unsigned classes = SafeCubeRouting::most_hops(t.dimensions());
        return std::make_unique<LeeHayes>(t, spread_evenly(vcs, classes), unsafe_rule(s.options));
      },
  };
}

}  // namespace flitmend
