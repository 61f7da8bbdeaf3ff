// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/opt_y.h"

#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

enum OptYClass : std::uint8_t { kRestricted, kUnrestricted };

}  // namespace

void OptY::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (!healthy(request, port)) return;
    if (dimension == 0)
      out.push({.head_state = request.head_state, .port = port, .vc_class = kRestricted, .escape = true});
    else
      out.push({.head_state = request.head_state, .port = port, .vc_class = kUnrestricted});
  });
  if (grid_.offset(request.here, request.destination, 0) < 0) return;
  const std::int32_t left = grid_.offset(request.here, request.destination, 1);
  if (left == 0) return;
  const PortId port = grid_.port(1, left > 0);
  if (healthy(request, port))
    out.push({.head_state = request.head_state,
              .port = port,
              .vc_class = kRestricted,
              .preference = 1,
              .escape = true});
}

RoutingEntry opt_y_routing() {
  return {
      .name = "opt-y",
      .description = "fully adaptive minimal, 2-D mesh: Double-Y with fewer restrictions",
      .reference = "[Schwiebert95]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::escape_channels,
                .vc_classes = {"X and Y without hops to the west left", "Y"},
                .virtual_channels = 2,
                .atomic_vc_reallocation = true};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<OptY>(t, vcs); },
  };
}

}  // namespace flitmend
