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

/// The value of option `table`: the name of a file, or the table itself; empty: there is none.
std::string table_option(const RoutingSettings&);

/// Whether such a value is the table itself.
bool is_route_table(const std::string& value);

}  // namespace flitmend
