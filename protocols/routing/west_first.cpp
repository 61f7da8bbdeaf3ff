// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// West-first on a 2-D mesh [Glass92]: all hops to the west come first, then any productive port. No turn to
/// the west is allowed, so the channel dependency graph has no cycle.
class WestFirst : public GridRouting, public MirroredRouting, public OffsetClasses {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 1 class.
  WestFirst(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), OffsetClasses(grid_) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const bool west = grid_.offset(request.here, request.destination, 0) < 0;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      if ((!west || dimension == 0) && healthy(request, port))
        out.push({.head_state = request.head_state, .port = port});
    });
  }

  unsigned max_candidates() const override { return 2; }
  std::uint32_t mirrored_dimensions() const override { return 1u << 1; }
};

}  // namespace

RoutingEntry west_first_routing() {
  return {
      .name = "west-first",
      .description = "partially adaptive, 2-D mesh: hops to the west first, then any productive port",
      .reference = "[Glass92]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .forbids_turn = [](const LinkDirection& from, const LinkDirection& to) {
                  return from.dimension == 1 && to.dimension == 0 && to.sign < 0;
                }};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<WestFirst>(t, spread_evenly(vcs, 1));
      },
  };
}

}  // namespace flitmend
