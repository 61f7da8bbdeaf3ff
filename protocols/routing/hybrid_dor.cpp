// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/switched_grid.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// Hybrid-DOR of KNS networks [Penaranda12]: crosses the dimensions in increasing order, each through its
/// subnetwork (SubnetworkRoutes). One class; the channel dependency graph has no cycle.
class HybridDor : public PartitionedRouting {
 public:
  /// The topology is a switched grid. `masks`: 1 class.
  HybridDor(const Topology& topology, std::vector<VcMask> masks)
      : PartitionedRouting(topology, std::move(masks)),
        grid_(*structure_of<SwitchedGrid>(topology)),
        routes_(grid_) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
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

  unsigned max_candidates() const override { return 1; }
  bool looks_at_arrival() const override { return false; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { routes_.update_faults(faults); }

 private:
  const SwitchedGrid& grid_;
  SubnetworkRoutes routes_;
};

}  // namespace

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
