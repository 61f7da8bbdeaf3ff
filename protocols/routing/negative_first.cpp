// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// Negative-first on a mesh of n dimensions [Glass92]: productive ports in negative directions first, then
/// those in positive ones. P-cube on a hypercube [Glass92] is the same with the signs exchanged: hops that
/// set a bit of the node's number (0 to 1) first, then hops that clear one. No message turns back from the
/// second kind of direction to the first, so the channel dependency graph has no cycle.
class NegativeFirst : public GridRouting, public OffsetClasses {
 public:
  /// The topology is a grid without rings. `masks`: 1 class. `plus_first`: as p-cube.
  NegativeFirst(const Topology& topology, std::vector<VcMask> masks, bool plus_first)
      : GridRouting(topology, std::move(masks)), OffsetClasses(grid_), plus_first_(plus_first) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    const auto goes_first = [&](unsigned dimension) {
      const std::int32_t left = grid_.offset(request.here, request.destination, dimension);
      return plus_first_ ? left > 0 : left < 0;
    };
    bool any_first = false;
    for (unsigned i = 0; i < grid_.dimensions(); ++i) any_first |= goes_first(i);
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
      if (goes_first(dimension) == any_first && healthy(request, port))
        out.push({.head_state = request.head_state, .port = port});
    });
  }

  unsigned max_candidates() const override { return most_productive(); }

 private:
  bool plus_first_;
};

}  // namespace

RoutingEntry negative_first_routing() {
  return {
      .name = "negative-first",
      .description =
          "partially adaptive, mesh: productive ports in negative directions first, then the others",
      .reference = "[Glass92]",
      .structure = is_mesh,
      .dimensions = {.min = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .forbids_turn = [](const LinkDirection& from, const LinkDirection& to) {
                  return from.sign > 0 && to.sign < 0;
                }};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NegativeFirst>(t, spread_evenly(vcs, 1), false);
      },
  };
}

RoutingEntry p_cube_routing() {
  return {
      .name = "p-cube",
      .description =
          "partially adaptive, hypercube: hops that set a bit of the node's number first, then the "
          "others",
      .reference = "[Glass92]",
      .structure = is_hypercube,
      .dimensions = {.min = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::dependency_graph,
                .forbids_turn = [](const LinkDirection& from, const LinkDirection& to) {
                  return from.sign < 0 && to.sign > 0;
                }};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<NegativeFirst>(t, spread_evenly(vcs, 1), true);
      },
  };
}

}  // namespace flitmend
