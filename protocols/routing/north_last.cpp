// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// North-last on a 2-D mesh [Glass92]: any productive port except north; north once nothing else is left. No
/// turn out of the north is ever made, so the channel dependency graph has no cycle.
class NorthLast : public GridRouting, public OffsetClasses {
 public:
  /// The topology is a mesh of 2 dimensions. `masks`: 1 class.
  NorthLast(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), OffsetClasses(grid_) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const PortId north = grid_.port(1, true);
    const bool only_north = grid_.offset(request.here, request.destination, 0) == 0;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if ((port != north || only_north) && healthy(request, port))
        out.push({.head_state = request.head_state, .port = port});
    });
  }

  unsigned max_candidates() const override { return 2; }
};

}  // namespace

RoutingEntry north_last_routing() {
  return {
      .name = "north-last",
      .description =
          "partially adaptive, 2-D mesh: any productive port, but north only when nothing else is left",
      .reference = "[Glass92]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .forbids_turn = [](const LinkDirection& from, const LinkDirection& to) {
                  return from.dimension == 1 && from.sign > 0 && to.dimension == 0;
                }};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NorthLast>(t, spread_evenly(vcs, 1));
      },
  };
}

}  // namespace flitmend
