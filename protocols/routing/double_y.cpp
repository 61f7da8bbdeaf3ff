// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/double_y.h"

#include "protocols/routing/registry.h"

namespace flitmend {

void DoubleY::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  for_each_productive(request.here, request.destination, [&](PortId port, unsigned dimension) {
    if (!healthy(request, port)) return;
    const bool east = dimension == 1 && request.head_state == 1;
    out.push({.head_state = request.head_state, .port = port, .vc_class = east});
  });
}

std::uint64_t DoubleY::initial_state(NodeId source, NodeId destination, RandomStream& random) const {
  const std::int32_t left = grid_.offset(source, destination, 0);
  return left == 0 ? random.bits() & 1 : left > 0;
}

std::vector<std::uint64_t> DoubleY::initial_states(NodeId source, NodeId destination) const {
  const std::int32_t left = grid_.offset(source, destination, 0);
  if (left == 0) return {0, 1};
  return {std::uint64_t{left > 0}};
}

RoutingEntry double_y_routing() {
  return {
      .name = "double-y",
      .description =
          "fully adaptive minimal, 2-D mesh: a network for messages to the east and one for those to "
          "the west",
      .reference = "[Ni93]",
      .structure = is_mesh,
      .dimensions = {.min = 2, .max = 2},
      .default_selection = "most-free-vcs",
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full,
                .proof = DeadlockProof::dependency_graph,
                .vc_classes = {"X and Y to the west", "Y to the east"},
                .virtual_channels = 2};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<DoubleY>(t, vcs); },
  };
}

}  // namespace flitmend
