// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/planar_adaptive.h"

#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

enum PlanarClass : std::uint8_t { kPlaneSecondPlus, kPlaneSecondMinus, kPlaneFirst };

}  // namespace

void PlanarAdaptive::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  unsigned i = 0;
  std::int32_t left = 0;
  while ((left = grid_.offset(request.here, request.destination, i)) == 0) ++i;
  const auto push = [&](unsigned dimension, bool plus, PlanarClass vc_class) {
    const PortId port = grid_.port(dimension, plus);
    if (healthy(request, port))
      out.push({.head_state = request.head_state, .port = port, .vc_class = vc_class});
  };
  push(i, left > 0, kPlaneFirst);
  if (i + 1 == grid_.dimensions()) return;
  const std::int32_t second = grid_.offset(request.here, request.destination, i + 1);
  if (second != 0) push(i + 1, second > 0, left > 0 ? kPlaneSecondPlus : kPlaneSecondMinus);
}

RoutingEntry planar_adaptive_routing() {
  return {
      .name = "planar-adaptive",
      .description = "mesh: adaptive in one plane of two dimensions at a time, planes in order",
      .reference = "[Chien92]",
      .structure = is_mesh,
      .dimensions = {.min = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology& t, const RoutingSettings&) -> RoutingProperties {
        return {
            .adaptivity = t.dimensions() == 2 ? Adaptivity::full : Adaptivity::partial,
            .proof = DeadlockProof::dependency_graph,
            .vc_classes = {"second dimension of a plane for + in the first",
                           "second dimension of a plane for − in the first", "first dimension of a plane"},
            .virtual_channels = 3};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<PlanarAdaptive>(t, vcs); },
  };
}

}  // namespace flitmend
