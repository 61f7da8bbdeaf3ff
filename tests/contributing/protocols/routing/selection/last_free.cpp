// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {
namespace {

/// The last free candidate in the order of the routing function.
class LastFree : public SelectionFunction {
 public:
  unsigned select(const RouteRequest&, const RouteCandidate*, const VcMask* available, unsigned count,
                  const OutputStatus&) const override {
    unsigned i = count - 1;
    while (i > 0 && !available[i]) --i;
    return i;
  }
};

}  // namespace

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
