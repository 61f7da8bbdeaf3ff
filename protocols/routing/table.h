// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "protocols/routing/partitioned_routing.h"
#include "protocols/routing/route_table.h"
#include "protocols/routing/settings.h"

namespace flitmend {

/// Routing by a table of the user's: the hops of the present router and the destination, all of the same
/// preference. Whether that can deadlock is for the deadlock checker to say.
class TableRouting : public PartitionedRouting {
 public:
  /// `masks`: as many classes as the table has.
  TableRouting(const Topology& topology, std::vector<VcMask> masks, RouteTable table)
      : PartitionedRouting(topology, std::move(masks)), table_(std::move(table)) {}

  void route(const RouteRequest&, CandidateList&) const override;
  unsigned max_candidates() const override { return table_.most_hops(); }
  bool looks_at_arrival() const override { return false; }

 private:
  RouteTable table_;
};

/// The file that option `table` names; empty: it names none, or the algorithm has no such option.
std::string table_file(const RoutingSettings&);

}  // namespace flitmend
