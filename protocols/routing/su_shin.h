// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/fault_network.h"
#include "protocols/routing/grid_routing.h"

namespace flitmend {

/// Fault-tolerant routing with two classes of virtual channels on meshes and hypercubes, after Su and Shin
/// [Su96]: any productive healthy port on the adaptive ones, and around the faults on the escape channels,
/// which a message does not leave. Here the way around is up*/down* (FaultNetwork), which serves every two
/// nodes that are connected.
///
/// h: that of the fault network.
///
/// Classes: escape (1 virtual channel), adaptive (the others).
class SuShin final : public GridRouting {
 public:
  /// The topology is a grid without rings. Throws KeyError if it is too large for the table.
  SuShin(const Topology& topology, std::vector<VcMask> masks)
      : GridRouting(topology, std::move(masks)), fault_network_(topology, "su-shin") {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override {
    return most_productive() + grid_.dimensions() * (grid_.paired_ports() ? 2 : 1);
  }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { fault_network_.update(faults); }

 private:
  FaultNetwork fault_network_;
};

}  // namespace flitmend
