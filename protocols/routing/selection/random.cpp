// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {
namespace {

/// A free candidate at random, all equally likely. Draws from the router's own stream only if there is a
/// choice.
class RandomFree : public SelectionFunction {
 public:
  unsigned select(const RouteRequest& request, const RouteCandidate*, const VcMask* available, unsigned count,
                  const OutputStatus&) const override {
    unsigned free = 0;
    for (unsigned i = 0; i < count; ++i) free += available[i] != 0;
    unsigned nth = free > 1 ? request.random->below(free) : 0;
    for (unsigned i = 0; i < count; ++i)
      if (available[i] && nth-- == 0) return i;
    return 0;
  }
};

}  // namespace

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
