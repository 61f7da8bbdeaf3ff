// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "protocols/routing/fault_blocks.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/offset_classes.h"
#include "protocols/routing/registry.h"

namespace flitmend {
namespace {

enum PlanarClass : std::uint8_t { kPlaneSecondPlus, kPlaneSecondMinus, kPlaneFirst };

/// Without faults.
RoutingProperties planar_adaptive_properties(const Topology& mesh) {
  return {.adaptivity = mesh.dimensions() == 2 ? Adaptivity::full : Adaptivity::partial,
          .proof = DeadlockProof::dependency_graph,
          .vc_classes = {"second dimension of a plane for + in the first",
                         "second dimension of a plane for − in the first", "first dimension of a plane"},
          .virtual_channels = 3};
}

/// Planar-adaptive routing on a mesh of n dimensions [Chien92]: a message goes through planes of two
/// neighbouring dimensions in order, and takes any productive port within the plane. Plane i has dimensions i
/// and i + 1, and ends when no hop is left in i. Inside a plane the networks for the + and for the −
/// direction of dimension i have their own virtual channels in dimension i + 1, so the channel dependency
/// graph has no cycle.
///
/// Classes: 0 and 1: the second dimension of a plane, where the message goes in the + or in the − direction
/// of the first. 2: the first dimension of a plane; the last dimension alone.
class PlanarAdaptive : public PortClassRouting, public OffsetClasses {
 public:
  /// The topology is a mesh of at least 2 dimensions. At least 3 virtual channels.
  PlanarAdaptive(const Topology& topology, unsigned vcs)
      : PortClassRouting(topology, vcs, 3,
                         [](unsigned dimension, bool, unsigned c) { return c == 2 || dimension > 0; }),
        OffsetClasses(grid_) {}

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
      .properties = [](const Topology& t, const RoutingSettings&) { return planar_adaptive_properties(t); },
      .make = [](const Topology& t, unsigned vcs, const RoutingSettings&)
          -> std::unique_ptr<RoutingFunction> { return std::make_unique<PlanarAdaptive>(t, vcs); },
  };
}

namespace {

/// Nodes in blocks, and those of borders with such nodes, one border after the other, and so on in the mesh
/// that remains. A corner costs only one of its borders.
std::vector<bool> bad_with_borders(const Grid& mesh, const FaultSet& faults) {
  std::vector<bool> bad = nodes_in_blocks(mesh, faults);
  std::vector<std::int64_t> low(mesh.dimensions()), high;  // what remains
  for (const std::uint32_t radix : mesh.radices()) high.push_back(std::int64_t{radix} - 1);
  const auto remains = [&](RouterId router) {
    for (unsigned i = 0; i < mesh.dimensions(); ++i)
      if (mesh.coordinate(router, i) < low[i] || mesh.coordinate(router, i) > high[i]) return false;
    return true;
  };
  const auto bad_at = [&](unsigned dimension, std::int64_t x) {
    for (RouterId router = 0; router < bad.size(); ++router)
      if (bad[router] && mesh.coordinate(router, dimension) == x && remains(router)) return true;
    return false;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < mesh.dimensions(); ++i) {
      for (; bad_at(i, low[i]); changed = true) ++low[i];
      for (; bad_at(i, high[i]); changed = true) --high[i];
    }
  }
  for (RouterId router = 0; router < bad.size(); ++router) bad[router] = bad[router] || !remains(router);
  return bad;
}

/// By router: the healthy nodes that are disabled with these faults.
std::vector<bool> disabled_with_borders(const FaultSet& faults) {
  std::vector<bool> disabled = bad_with_borders(*structure_of<Grid>(faults.topology()), faults);
  for (RouterId router = 0; router < disabled.size(); ++router)
    disabled[router] = disabled[router] && !faults.router_faulty(router);
  return disabled;
}

/// Planar-adaptive routing around blocks of faulty nodes [Chien92] (FaultBlocks, in any number of
/// dimensions). Plane i has dimensions i and i + 1, the last plane has the last dimension and dimension 0. A
/// message that a block stops in the first dimension of its plane goes along the block in the
/// second one, to the side of its destination or to either, and never turns back there. Later planes correct
/// an overshoot; the last plane does so at its end.
///
/// A message that reaches the border beside a block could not turn back there. So all nodes of a border with
/// a bad node are disabled, and so on with the borders of the remaining mesh. Disabled nodes neither send nor
/// receive.
///
/// h: bit 0: the network of the plane: 0 where the message goes in the + direction of the first dimension, 1
/// for −; from bit 1 on: the plane.
///
/// Classes: as of PlanarAdaptive; 0 and 1 are those of the two networks.
class FaultTolerantPlanarAdaptive final : public PortClassRouting {
 public:
  /// The topology is a mesh of at least 2 dimensions. At least 3 virtual channels.
  FaultTolerantPlanarAdaptive(const Topology&, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
  bool looks_at_arrival() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet&) override;

 private:
  /// Whether a hop leads to a node that is in use.
  bool open(const RouteRequest&, PortId) const;

  std::vector<bool> bad_;  ///< by router: faulty or disabled
};

}  // namespace

FaultTolerantPlanarAdaptive::FaultTolerantPlanarAdaptive(const Topology& topology, unsigned vcs)
    : PortClassRouting(topology, vcs, 3, [](unsigned, bool, unsigned) { return true; }),
      bad_(topology.router_count()) {}

void FaultTolerantPlanarAdaptive::update_faults(const FaultSet& faults) {
  bad_ = bad_with_borders(grid_, faults);
}

bool FaultTolerantPlanarAdaptive::open(const RouteRequest& request, PortId port) const {
  const auto far = topology_.neighbour(request.here, port);
  return far && !bad_[far->router] && healthy(request, port);
}

void FaultTolerantPlanarAdaptive::route(const RouteRequest& request, CandidateList& out) const {
  if (request.here == request.destination) return consume(request, out);
  if (bad_[request.here] || bad_[request.destination]) return;
  const unsigned last = grid_.dimensions() - 1;
  const auto arrival_plane = static_cast<unsigned>(request.head_state >> 1);
  unsigned plane = arrival_plane;
  while (plane < last && grid_.offset(request.here, request.destination, plane) == 0) ++plane;
  const unsigned second = plane == last ? 0 : plane + 1;
  const std::int32_t ahead = grid_.offset(request.here, request.destination, plane);
  const std::int32_t aside = grid_.offset(request.here, request.destination, second);
  const std::uint8_t network = ahead != 0 ? ahead < 0 : request.head_state & 1;
  const std::uint64_t h = std::uint64_t{plane} << 1 | network;
  const auto push = [&](PortId port, std::uint8_t vc_class) {
    if (open(request, port)) out.push({.head_state = h, .port = port, .vc_class = vc_class});
  };
  if (ahead == 0) return push(grid_.port(second, aside > 0), network);  // in the last plane: back
  const PortId forward = grid_.port(plane, ahead > 0);
  const bool blocked = !open(request, forward);
  if (!blocked) push(forward, kPlaneFirst);
  // A message that arrived along the block keeps its direction.
  const bool came_aside = request.arrival_port != RouteRequest::kInjected && arrival_plane == plane &&
                          grid_.port_dimension(request.arrival_port) == second;
  const bool came_plus = came_aside && !grid_.port_is_plus(request.here, request.arrival_port);
  if (came_aside && (aside == 0 || (aside > 0) != came_plus)) {
    if (blocked) push(grid_.port(second, came_plus), network);
    return;
  }
  if (aside != 0) return push(grid_.port(second, aside > 0), network);
  if (!blocked) return;
  push(grid_.port(second, true), network);
  push(grid_.port(second, false), network);
}

RoutingEntry fault_tolerant_planar_adaptive_routing() {
  return {
      .name = "fault-tolerant-planar-adaptive",
      .description = "mesh: planar-adaptive, and around blocks of faulty nodes that reach no border",
      .reference = "[Chien92]",
      .structure = is_mesh,
      .dimensions = {.min = 2},
      .default_selection = "most-free-vcs",
      .properties =
          [](const Topology& t, const RoutingSettings&) {
            RoutingProperties properties = planar_adaptive_properties(t);
            properties.tolerated_faults = 2;
            properties.disabled = disabled_with_borders;
            return properties;
          },
      .make = [](const Topology& t, unsigned vcs,
                 const RoutingSettings&) -> std::unique_ptr<RoutingFunction> {
        return std::make_unique<FaultTolerantPlanarAdaptive>(t, vcs);
      },
  };
}

}  // namespace flitmend
