// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/routing/port_class_routing.h"

namespace flitmend {

/// Planar-adaptive routing around blocks of faulty nodes [Chien92] (FaultBlocks, in any number of
/// dimensions). Plane i has dimensions i and i + 1, the last plane has the last dimension and dimension 0. A
/// message for which a block is in the way in the first dimension of its plane goes along the block in the
/// second one, to the side of its destination or to either, and never turns back there. What it has gone too
/// far is made up for in later planes; in the last plane, at the end of it.
///
/// A message that comes to the border beside a block could not turn back there. So the nodes of a border that
/// has a bad node are disabled, all of them, and so on with the borders of the mesh that remains. Disabled
/// nodes neither send nor receive.
///
/// h: bit 0: the network of the plane: 0 where the message goes in the + direction of the first dimension, 1
/// for −; from bit 1 on: the plane.
///
/// Classes: 0 and 1: the second dimension of a plane in these two networks. 2: the first dimension.
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

/// By router: the healthy nodes that are disabled with these faults.
std::vector<bool> disabled_with_borders(const FaultSet&);

}  // namespace flitmend
