// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/straight.h"

#include "topologies/grid.h"

namespace flitmend {

Straight::Straight(const Topology& topology) {
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  paired_ports_ = grid && grid->kind() != Grid::Kind::hypercube;
}

unsigned Straight::select(const RouteRequest& request, const RouteCandidate* candidates,
                          const VcMask* available, unsigned count, const OutputStatus&) const {
  unsigned first = count;
  for (unsigned i = 0; i < count; ++i) {
    if (!available[i]) continue;
    if (paired_ports_ && request.arrival_port != RouteRequest::kInjected &&
        candidates[i].port == (request.arrival_port ^ 1))
      return i;
    if (first == count) first = i;
  }
  return first == count ? 0 : first;
}

}  // namespace flitmend
