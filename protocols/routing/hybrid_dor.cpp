// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/destination_classes.h"
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/registry.h"
#include "protocols/routing/subnetwork_routes.h"
#include "topologies/switched_grid.h"
#include "topologies/topology.h"

namespace flitmend {
namespace {

/// Hybrid-DOR of KNS networks [Penaranda12]: crosses the dimensions in increasing order, each through its
/// subnetwork (SubnetworkRoutes). One class; the channel dependency graph has no cycle.
class HybridDor : public PartitionedRouting, public DestinationClasses {
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
      port = static_cast<PortId>(first_dimension(request.here, request.destination));
      if (port == grid_.dimensions()) return consume(request, out);
    }
    if (healthy(request, port)) out.push({.head_state = request.head_state, .port = port});
  }

  unsigned max_candidates() const override { return 1; }
  bool looks_at_arrival() const override { return false; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { routes_.update_faults(faults); }

  /// At a node: by the dimension that comes next. At a switch: by the end of its subnetwork, and by whether
  /// the dimensions before have been crossed.
  std::uint64_t destination_class(RouterId here, NodeId destination) const override {
    if (!grid_.is_switch(here)) return first_dimension(here, destination);
    const unsigned dimension = grid_.switch_dimension(here);
    const bool crossed = first_dimension(first_on_line(here, dimension), destination) >= dimension;
    return 2 * std::uint64_t{grid_.coordinate(destination, dimension)} + crossed;
  }
  void add_representatives(RouterId here, std::vector<NodeId>& nodes) const override;

 private:
  /// The lowest in which two nodes differ; dimensions() if there is none.
  unsigned first_dimension(NodeId from, NodeId to) const {
    unsigned i = 0;
    while (i < grid_.dimensions() && grid_.coordinate(from, i) == grid_.coordinate(to, i)) ++i;
    return i;
  }
  NodeId stride(unsigned dimension) const {
    NodeId nodes = 1;
    for (unsigned i = 0; i < dimension; ++i) nodes *= grid_.radix(i);
    return nodes;
  }
  /// The first of the nodes that the subnetwork of a switch joins.
  NodeId first_on_line(RouterId at, unsigned dimension) const {
    const NodeId line = grid_.line_of_switch(at, dimension), below = stride(dimension);
    return line / below * below * grid_.radix(dimension) + line % below;
  }
  /// The next node in a dimension, or the one before.
  NodeId beside(NodeId node, unsigned dimension) const {
    return grid_.coordinate(node, dimension) > 0 ? node - stride(dimension) : node + stride(dimension);
  }

  const SwitchedGrid& grid_;
  SubnetworkRoutes routes_;
};

void HybridDor::add_representatives(RouterId here, std::vector<NodeId>& nodes) const {
  if (!grid_.is_switch(here)) {
    nodes.push_back(here);
    for (unsigned i = 0; i < grid_.dimensions(); ++i)
      if (grid_.radix(i) > 1) nodes.push_back(beside(here, i));
    return;
  }
  const unsigned dimension = grid_.switch_dimension(here);
  const NodeId first = first_on_line(here, dimension);
  for (std::uint32_t x = 0; x < grid_.radix(dimension); ++x) {
    nodes.push_back(first + x * stride(dimension));
    if (dimension > 0 && grid_.radix(0) > 1) nodes.push_back(beside(nodes.back(), 0));
  }
}

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
