// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/port_class_routing.h"

namespace flitmend {

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

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 2; }
};

}  // namespace flitmend
