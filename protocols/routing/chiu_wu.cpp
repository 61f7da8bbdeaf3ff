// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/registry.h"
#include "protocols/routing/safe_cube_routing.h"

namespace flitmend {
namespace {

constexpr unsigned kRiseShift = 16;
constexpr std::uint64_t kRise = std::uint64_t{1} << kRiseShift;
constexpr std::uint64_t kHasCleared = std::uint64_t{1} << 24;
constexpr const char* kRises[] = {"before a rise", "after 1 rise",  "after 2 rises", "after 3 rises",
                                  "after 4 rises", "after 5 rises", "after 6 rises", "after 7 rises",
                                  "after 8 rises", "after 9 rises"};

/// Lee and Hayes' hops on the virtual channels of Chiu and Wu [Chiu96], of which there are fewer: a message
/// rises to the next class when it sets a bit of the node's number after it has cleared one. In one class
/// hops that set bits come before those that clear them, so the channel dependency graph has no cycle.
///
/// h: as of SafeCubeRouting; bits 16 to 23: class; bit 24: the last hop has cleared a bit.
class ChiuWu final : public SafeCubeRouting {
 public:
  /// The topology is a hypercube. `masks`: most_classes(dimensions) classes.
  ChiuWu(const Topology& topology, std::vector<VcMask> masks, UnsafeRule rule)
      : SafeCubeRouting(topology, std::move(masks), rule) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for_each_hop(request, [&](PortId port, std::uint64_t h) {
      const bool sets = grid_.port_is_plus(request.here, port);
      const std::uint64_t risen = sets && (h & kHasCleared) ? h + kRise : h;
      out.push({.head_state = (risen & ~kHasCleared) | (sets ? 0 : kHasCleared),
                .port = port,
                .vc_class = static_cast<std::uint8_t>(risen >> kRiseShift & 0xff)});
    });
  }

  /// Every second hop of the longest path rises: 5 with 7 dimensions.
  static unsigned most_classes(unsigned dimensions) { return most_hops(dimensions) / 2 + 1; }
};

}  // namespace

RoutingEntry chiu_wu_routing() {
  return {
      .name = "chiu-wu",
      .description =
          "adaptive around faulty nodes of a hypercube, avoiding unsafe ones; about half as many "
          "classes of virtual channels as dimensions",
      .reference = "[Chiu96]",
      .structure = is_hypercube,
      .dimensions = {.max = 2 * std::size(kRises) - 3},
      .options = {{.key = &kUnsafeOption}},
      .examples = {{.options = {{"unsafe", "wu-fernandez"}}}},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        const unsigned classes = ChiuWu::most_classes(t.dimensions());
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {kRises, kRises + classes},
                .virtual_channels = classes,
                .tolerated_faults = tolerated_by_safe_routing(t)};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings& s) -> std::unique_ptr<RoutingFunction> {
        const unsigned classes = ChiuWu::most_classes(t.dimensions());
        return std::make_unique<ChiuWu>(t, spread_evenly(vcs, classes), unsafe_rule(s.options));
      },
  };
}

}  // namespace flitmend
