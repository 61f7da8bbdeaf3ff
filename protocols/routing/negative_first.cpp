// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/negative_first.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

void NegativeFirst::route(const RouteRequest& request, CandidateList& out) const {
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

}  // namespace flitmend
