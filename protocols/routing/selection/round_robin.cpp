// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <vector>

#include "protocols/routing/selection/registry.h"
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {
namespace {

/// One port pointer per router. A router moves only its own, so its choices depend only on its own past.
class PortPointers {
 public:
  explicit PortPointers(const Topology& topology) : next_(topology.router_count()) {}
  /// Distance of a port from the router's pointer, in round-robin order.
  unsigned turn(RouterId router, PortId port) const {
    const PortId next = next_[router];
    return port >= next ? port - next : port + 0x10000u - next;
  }
  void move_past(RouterId router, PortId port) { next_[router] = static_cast<PortId>(port + 1); }

 private:
  std::vector<PortId> next_;
};

/// The free candidate whose port comes next after the port that this router chose last.
class RoundRobin : public SelectionFunction {
 public:
  explicit RoundRobin(const Topology& topology) : pointers_(topology) {}
  unsigned select(const RouteRequest& request, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override {
    unsigned best = 0, best_turn = ~0u;
    for (unsigned i = 0; i < count; ++i) {
      if (!available[i]) continue;
      const unsigned turn = pointers_.turn(request.here, candidates[i].port);
      if (turn < best_turn) best = i, best_turn = turn;
    }
    pointers_.move_past(request.here, candidates[best].port);
    return best;
  }

 private:
  mutable PortPointers pointers_;
};

/// The free candidate whose output is least loaded by some measure; ties in round-robin order.
class LeastLoaded : public SelectionFunction {
 public:
  explicit LeastLoaded(const Topology& topology) : pointers_(topology) {}
  unsigned select(const RouteRequest& request, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus& outputs) const override {
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

 protected:
  /// Greater if the output is less loaded.
  virtual unsigned room(const OutputStatus&, PortId) const = 0;

 private:
  mutable PortPointers pointers_;
};

/// Most free virtual channels at the port (minimum congestion).
class MostFreeVcs : public LeastLoaded {
  using LeastLoaded::LeastLoaded;
  unsigned room(const OutputStatus& outputs, PortId port) const override {
    return static_cast<unsigned>(std::popcount(outputs.free_vcs(port)));
  }
};

/// Most credits, summed over all virtual channels of the port.
class MostCredits : public LeastLoaded {
  using LeastLoaded::LeastLoaded;
  unsigned room(const OutputStatus& outputs, PortId port) const override { return outputs.credits(port); }
};

}  // namespace

SelectionEntry round_robin_selection() {
  return {
      .name = "round-robin",
      .description = "round robin over the free ports, one pointer per router",
      .make = [](const Topology& topology) -> std::unique_ptr<SelectionFunction> {
        return std::make_unique<RoundRobin>(topology);
      },
  };
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
