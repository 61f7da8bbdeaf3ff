// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

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
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;

 private:
  mutable PortPointers pointers_;
};

}  // namespace flitmend
