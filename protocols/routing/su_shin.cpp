// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/su_shin.h"

#include "protocols/routing/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {
namespace {

enum SuShinClass : std::uint8_t { kSuShinEscape, kSuShinAdaptive };

}  // namespace

void SuShin::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (!FaultNetwork::contains(request.head_state)) {
    // Without a way through the fault network, a message might find none at all on its way.
    if (!fault_network_.leads_on(request)) return;
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if (healthy(request, port)) out.push({.port = port, .vc_class = kSuShinAdaptive});
    });
  }
  fault_network_.push(request, kSuShinEscape, 1, out);
}

RoutingEntry su_shin_routing() {
  return {
      .name = "su-shin",
      .description = "minimal adaptive, and up*/down* around faults on the escape channels",
      .reference = "[Su96]",
      .structure = is_grid_without_rings,
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::partial,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"escape", "adaptive"},
                .virtual_channels = 2,
                .atomic_vc_reallocation = true,
                .tolerated_faults = kAnyFaults};
      },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<SuShin>(t, singles_then_rest(vcs, 1));
      },
  };
}

}  // namespace flitmend
