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
