// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/up_down_table.h"

namespace flitmend {

/// Up*/down* routing [Schroeder91] on any graph: all hops on the ways, shortest by the metric, that never go
/// up after a hop down (UpDownTable). The channel dependency graph has no cycle. Faults that are known change
/// the order of the routers and the table.
///
/// h: bit 0: it has gone down.
class UpDown : public PartitionedRouting {
 public:
  /// The largest network: the table takes 8 bytes per pair of routers.
  static constexpr RouterId kMostRouters = 4096;

  /// `masks`: 1 class. Throws KeyError if the topology has too many routers.
  UpDown(const Topology& topology, std::vector<VcMask> masks, const Metric& metric);

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return most_ports_; }
  bool looks_at_arrival() const override { return false; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { table_.update(faults); }

 private:
  UpDownTable table_;
  unsigned most_ports_ = 1;
};

}  // namespace flitmend
