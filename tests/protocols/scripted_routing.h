// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <utility>

#include "protocols/routing/grid_routing.h"
#include "protocols/routing/partitioned_routing.h"

namespace flitmend {

/// A routing function written in a test: correct and broken variants for the deadlock checker. Class c is
/// virtual channel c.
class ScriptedRouting : public GridRouting {
 public:
  /// Receives the productive ports of a head that is not at its destination.
  using Rule = std::function<void(const ScriptedRouting&, const RouteRequest&,
                                  const std::vector<PortId>& productive, CandidateList&)>;

  ScriptedRouting(const Grid& grid, unsigned classes, Rule rule)
      : GridRouting(grid, spread_evenly(classes, classes)), rule_(std::move(rule)) {}

  void route(const RouteRequest& request, CandidateList& out) const override {
    if (request.here == request.destination) return consume(request, out);
    std::vector<PortId> productive;
    for_each_productive(request.here, request.destination,
                        [&](PortId p, unsigned) { productive.push_back(p); });
    rule_(*this, request, productive, out);
  }
  unsigned max_candidates() const override { return 64; }
  bool looks_at_arrival() const override { return true; }

  const Grid& grid() const { return grid_; }
  /// Dimension order: the port of the lowest remaining dimension.
  PortId first_port(const RouteRequest& request) const {
    unsigned i = 0;
    while (grid_.offset(request.here, request.destination, i) == 0) ++i;
    return grid_.port(i, grid_.offset(request.here, request.destination, i) > 0);
  }

 private:
  Rule rule_;
};

}  // namespace flitmend
