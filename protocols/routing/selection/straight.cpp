// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {
namespace {

/// The port in the dimension and direction in which the head is moving, else the first free candidate ("no
/// turn" rule). Where links have no direction, or a router has one port per dimension, it is the first
/// free candidate.
class Straight : public SelectionFunction {
 public:
  explicit Straight(const Topology& topology) : topology_(topology) {}
  unsigned select(const RouteRequest& request, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override {
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

 private:
  const Topology& topology_;
};

}  // namespace

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
