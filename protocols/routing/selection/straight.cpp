// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/straight.h"

#include "protocols/routing/selection/registry.h"

namespace flitmend {

unsigned Straight::select(const RouteRequest& request, const RouteCandidate* candidates,
                          const VcMask* available, unsigned count, const OutputStatus&) const {
  const auto came_from = request.arrival_port == RouteRequest::kInjected
                             ? std::nullopt
                             : topology_.direction(request.here, request.arrival_port);
  unsigned first = count;
  for (unsigned i = 0; i < count; ++i) {
    if (!available[i]) continue;
    if (first == count) first = i;
    if (!came_from || candidates[i].port >= topology_.port_count(request.here)) continue;
    const auto to = topology_.direction(request.here, candidates[i].port);
    if (to && to->dimension == came_from->dimension && to->sign == -came_from->sign && to->sign != 0)
      return i;
  }
  return first == count ? 0 : first;
}

SelectionEntry straight_selection() {
  return {
      .name = "straight",
      .description = "the port opposite the one on which the head arrived, else the first free candidate",
      .make = [](const Topology& topology) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<Straight>(topology);
      },
  };
}

}  // namespace flitmend
