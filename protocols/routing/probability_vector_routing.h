// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/routing/fault_network.h"
#include "protocols/routing/grid_routing.h"
#include "protocols/routing/probability_vector_table.h"
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Probability-vector routing [AlSadi03] on k-ary n-cubes: the hop that algorithm PV_Routing chooses, with
/// the lowest of equal ports, and never back to the node just left. A message that it would fail, or that has
/// made more hops than its limit allows, has no candidate. The paper says nothing of deadlock: a message that
/// finds no virtual channel for its hop may leave for the fault network, the escape channels, and stays
/// there.
///
/// A router of a fabric decides by its registers, which the exchange fills (ProbabilityVectorExchange).
/// Without a fabric, the vectors are those with which the exchange ends.
///
/// h: that of the fault network. Before it: hops beyond the distance from source to destination that the
/// message has spent, or must still spend.
///
/// Classes: escape (1 virtual channel), adaptive (the others).
class ProbabilityVectors final : public GridRouting {
 public:
  /// The topology is a k-ary n-cube. Throws KeyError if it is too large for the table of the fault network.
  ProbabilityVectors(const Topology&, std::vector<VcMask> masks);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return 1 + cube_.ports(); }
  bool looks_at_arrival() const override { return true; }
  bool has_escape_channels() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet&) override;
  void read_registers(RouterId, const RouterState&) override;

 private:
  /// −1: none.
  int next_hop(const RouteRequest&, std::uint32_t distance) const;

  FaultNetwork fault_network_;
  KaryCube cube_;
  ProbabilityVectorTable table_;
  std::vector<RouterState> registers_;  ///< by router; empty without a fabric
  /// f, the number of faults that the limit of hops uses. In a fabric the most that there have been, so that
  /// a repair takes no hops away from messages under way.
  std::uint64_t faults_ = 0;
};

}  // namespace flitmend
