// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {
namespace {

/// The first free candidate in the order of the routing function.
class FirstFree : public SelectionFunction {
 public:
  unsigned select(const RouteRequest&, const RouteCandidate*, const VcMask* available, unsigned count,
                  const OutputStatus&) const override {
    unsigned i = 0;
    while (i + 1 < count && !available[i]) ++i;
    return i;
  }
};

}  // namespace

SelectionEntry first_selection() {
  return {
      .name = "first",
      .description = "the first free candidate in the order of the routing function",
      .make = [](const Topology&) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<FirstFree>();
      },
  };
}

}  // namespace flitmend
