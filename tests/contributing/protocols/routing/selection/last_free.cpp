// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/last_free.h"

#include "protocols/routing/selection/registry.h"

namespace flitmend {

unsigned LastFree::select(const RouteRequest&, const RouteCandidate*, const VcMask* available, unsigned count,
                          const OutputStatus&) const {
  unsigned i = count - 1;
  while (i > 0 && !available[i]) --i;
  return i;
}

SelectionEntry last_free_selection() {
  return {
      .name = "last-free",
      .description = "the last free candidate in the order of the routing function",
      .make = [](const Topology&) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<LastFree>();
      },
  };
}

}  // namespace flitmend
