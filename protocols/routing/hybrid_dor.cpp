// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/hybrid_dor.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

void HybridDor::route(const RouteRequest& request, CandidateList& out) const {
  PortId port = 0;
  if (grid_.is_switch(request.here)) {
    const std::optional<PortId> found = routes_.port(request.here, request.destination);
    if (!found) return;
    port = *found;
  } else {
    while (port < grid_.dimensions() &&
           grid_.coordinate(request.here, port) == grid_.coordinate(request.destination, port))
      ++port;
    if (port == grid_.dimensions()) return consume(request, out);
  }
  if (healthy(request, port)) out.push({.head_state = request.head_state, .port = port});
}

RoutingEntry hybrid_dor_routing() {
  return {
      .name = "hybrid-dor",
      .description =
          "deterministic, lowest dimension first, each through its switch, or by the digits of the "
          "destination through the stages of a fat tree or RUFT",
      .reference = "[Penaranda12]",
      .structure = is_switched_grid,
      .default_selection = "first",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::deterministic, .proof = DeadlockProof::dependency_graph};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<HybridDor>(t, spread_evenly(vcs, 1));
      },
  };
}

}  // namespace flitmend
