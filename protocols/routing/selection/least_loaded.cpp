// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/least_loaded.h"

#include <bit>

#include "protocols/routing/selection/registry.h"

namespace flitmend {

unsigned LeastLoaded::select(const RouteRequest& request, const RouteCandidate* candidates,
                             const VcMask* available, unsigned count, const OutputStatus& outputs) const {
  unsigned best = 0, best_room = 0, best_turn = 0;
  bool found = false;
  for (unsigned i = 0; i < count; ++i) {
    if (!available[i]) continue;
    const unsigned here = room(outputs, candidates[i].port);
    const unsigned turn = pointers_.turn(request.here, candidates[i].port);
    if (found && (here < best_room || (here == best_room && turn >= best_turn))) continue;
    best = i, best_room = here, best_turn = turn;
    found = true;
  }
  pointers_.move_past(request.here, candidates[best].port);
  return best;
}

unsigned MostFreeVcs::room(const OutputStatus& outputs, PortId port) const {
  return static_cast<unsigned>(std::popcount(outputs.free_vcs(port)));
}

unsigned MostCredits::room(const OutputStatus& outputs, PortId port) const {
  return outputs.credits(port);
}

SelectionEntry most_free_vcs_selection() {
  return {
      .name = "most-free-vcs",
      .description = "the port with the most free virtual channels, ties in round-robin order",
      .make = [](const Topology& topology) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<MostFreeVcs>(topology);
      },
  };
}

SelectionEntry most_credits_selection() {
  return {
      .name = "most-credits",
      .description = "the port with the most credits, ties in round-robin order",
      .make = [](const Topology& topology) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<MostCredits>(topology);
      },
  };
}

}  // namespace flitmend
