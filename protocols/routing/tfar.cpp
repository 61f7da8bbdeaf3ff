// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/mirrored_routing.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

/// True fully adaptive minimal routing [SBRP]: any productive port, any virtual channel. It can deadlock: use
/// it for study, or with detection and recovery. On hypercubes it is also known as minimal adaptive and, with
/// another selection function, as minimum congestion.
class Tfar : public GridRouting, public MirroredRouting {
 public:
  /// The topology is a grid. `masks`: 1 class.
  Tfar(const Topology& topology, std::vector<VcMask> masks) : GridRouting(topology, std::move(masks)) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    for_each_productive(request.here, request.destination, [&](PortId port, unsigned) {
      if (healthy(request, port)) out.push({.head_state = request.head_state, .port = port});
    });
  }

  unsigned max_candidates() const override { return most_productive(); }
  std::uint32_t mirrored_dimensions() const override { return every_dimension(); }
};

/// The algorithm under one of its names.
RoutingEntry fully_adaptive(std::string_view name, std::string_view description,
                            bool (*structure)(const Topology&), std::string_view selection) {
  return {
      .name = name,
      .description = description,
      .reference = "[SBRP section 6.2.3]",
      .structure = structure,
      .default_selection = selection,
      .properties = [](const Topology&, const RoutingSettings&) -> RoutingProperties {
        return {.adaptivity = Adaptivity::full, .proof = DeadlockProof::none};
      },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<Tfar>(t, spread_evenly(vcs, 1)); },
  };
}

}  // namespace

RoutingEntry tfar_routing() {
  return fully_adaptive(
      "tfar", "true fully adaptive minimal: any productive port, any virtual channel; it can deadlock",
      is_grid, "random");
}

RoutingEntry minimal_adaptive_routing() {
  return fully_adaptive(
      "minimal-adaptive",
      "fully adaptive minimal, hypercube: any productive port, drawn at random; it can deadlock",
      is_hypercube, "random");
}

RoutingEntry minimum_congestion_routing() {
  return fully_adaptive("minimum-congestion",
                        "fully adaptive minimal, hypercube: the productive port with most free virtual "
                        "channels; it can deadlock",
                        is_hypercube, "most-free-vcs");
}

}  // namespace flitmend
