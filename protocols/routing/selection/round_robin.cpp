// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/round_robin.h"

#include "protocols/routing/selection/registry.h"

namespace flitmend {

unsigned RoundRobin::select(const RouteRequest& request, const RouteCandidate* candidates,
                            const VcMask* available, unsigned count, const OutputStatus&) const {
  unsigned best = 0, best_turn = ~0u;
  for (unsigned i = 0; i < count; ++i) {
    if (!available[i]) continue;
    const unsigned turn = pointers_.turn(request.here, candidates[i].port);
    if (turn < best_turn) best = i, best_turn = turn;
  }
  pointers_.move_past(request.here, candidates[best].port);
  return best;
}

SelectionEntry round_robin_selection() {
  return {
      .name = "round-robin",
      .description = "round robin over the free ports, one pointer per router",
      .make = [](const Topology& topology) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<RoundRobin>(topology);
      },
  };
}

}  // namespace flitmend
