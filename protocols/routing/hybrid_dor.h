// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/structure.h"
#include "topologies/switched_grid.h"

namespace flitmend {

/// Hybrid-DOR of KNS networks [Penaranda12]: crosses the dimensions in increasing order, each through its
/// subnetwork (SubnetworkRoutes). One class; the channel dependency graph has no cycle.
class HybridDor : public PartitionedRouting {
 public:
  /// The topology is a switched grid. `masks`: 1 class.
  HybridDor(const Topology& topology, std::vector<VcMask> masks)
      : PartitionedRouting(topology, std::move(masks)),
        grid_(*structure_of<SwitchedGrid>(topology)),
        routes_(grid_) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1; }
  bool looks_at_arrival() const override { return false; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { routes_.update_faults(faults); }

 private:
  const SwitchedGrid& grid_;
  SubnetworkRoutes routes_;
};

}  // namespace flitmend
