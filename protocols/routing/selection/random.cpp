// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/random.h"

#include "protocols/routing/selection/registry.h"

namespace flitmend {

unsigned RandomFree::select(const RouteRequest& request, const RouteCandidate*, const VcMask* available,
                            unsigned count, const OutputStatus&) const {
  unsigned free = 0;
  for (unsigned i = 0; i < count; ++i) free += available[i] != 0;
  unsigned nth = free > 1 ? request.random->below(free) : 0;
  for (unsigned i = 0; i < count; ++i)
    if (available[i] && nth-- == 0) return i;
  return 0;
}

SelectionEntry random_selection() {
  return {
      .name = "random",
      .description = "a free candidate at random",
      .make = [](const Topology&) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<RandomFree>();
      },
  };
}

}  // namespace flitmend
