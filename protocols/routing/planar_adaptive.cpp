// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/port_class_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

enum PlanarClass : std::uint8_t { kPlaneSecondPlus, kPlaneSecondMinus, kPlaneFirst };

/// Planar-adaptive routing on a mesh of n dimensions [Chien92]: a message goes through planes of two
/// neighbouring dimensions in order, and takes any productive port within the plane. Plane i has dimensions i
/// and i + 1, and ends when no hop is left in i. Inside a plane the networks for the + and for the −
/// direction of dimension i have their own virtual channels in dimension i + 1, so the channel dependency
/// graph has no cycle.
///
/// Classes: 0 and 1: the second dimension of a plane, where the message goes in the + or in the − direction
/// of the first. 2: the first dimension of a plane; the last dimension alone.
class PlanarAdaptive : public PortClassRouting {
 public:
  /// The topology is a mesh of at least 2 dimensions. At least 3 virtual channels.
  PlanarAdaptive(const Topology& topology, unsigned vcs)
      : PortClassRouting(topology, vcs, 3,
                         [](unsigned dimension, bool, unsigned c) { return c == 2 || dimension > 0; }) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
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

  unsigned max_candidates() const override { return 2; }
};

}  // namespace

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
