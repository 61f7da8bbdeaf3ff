// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/port_class_routing.h"

namespace flitmend {

/// Opt-y on a 2-D mesh [Schwiebert95]: fully adaptive minimal, with fewer restrictions than Double-Y. One
/// class in X and one in Y may always be taken, the other one in Y only by messages that have no hops to the
/// west left. The escape channels are X and this second class; their extended channel dependency graph has no
/// cycle.
///
/// Classes: 0: X, and Y without hops to the west left. 1: Y at any time.
class OptY : public PortClassRouting {
 public:
  /// The topology is a mesh of 2 dimensions. At least 2 virtual channels.
  OptY(const Topology& topology, unsigned vcs)
      : PortClassRouting(topology, vcs, 2,
                         [](unsigned dimension, bool, unsigned c) { return c == 0 || dimension == 1; }) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 3; }
  bool has_escape_channels() const override { return true; }
};

}  // namespace flitmend
