// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/fault_network.h"
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// The routing of the Reliable Router [Dally94] on meshes and hypercubes, in three virtual networks. A head
/// asks all of them and takes what is free in this order: any productive port in the adaptive network, the
/// port of dimension order in its network, and the fault-handling network, in which routing is up*/down*
/// around the faults (FaultNetwork) and which a message does not leave. Escape channels are those of the last
/// two; no channel of dimension order depends on one of the fault-handling network.
///
/// h: that of the fault network.
///
/// Classes: dimension order (2 virtual channels), fault-handling (1), adaptive (the others).
class ReliableRouter final : public GridRouting {
 public:
  /// The topology is a grid without rings. Throws KeyError if it is too large for the table.
  ReliableRouter(const Topology& topology, unsigned vcs);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return grid_.dimensions() + 1 + most_ports(); }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { fault_network_.update(faults); }

 private:
  unsigned most_ports() const { return grid_.dimensions() * (grid_.paired_ports() ? 2 : 1); }

  FaultNetwork fault_network_;
};

}  // namespace flitmend
