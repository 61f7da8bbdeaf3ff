// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/tfar.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {

void Tfar::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
    if (healthy(request, port)) out.push({.head_state = request.head_state, .port = port});
  });
}

RoutingEntry tfar_routing() {
  return {
      .name = "tfar",
      .description = "true fully adaptive minimal: any productive port, any virtual channel; it can deadlock",
      .reference = "[SBRP section 6.2.3]",
      .structure = is_grid,
      .default_selection = "random",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full, .proof = DeadlockProof::none};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<Tfar>(t, spread_evenly(vcs, 1)); },
  };
}

}  // namespace flitmend
