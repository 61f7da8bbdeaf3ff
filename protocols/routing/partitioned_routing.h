// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// Splits virtual channels 0 … vcs − 1 evenly among the classes, in order; the first classes get the
/// remainder. 1 ≤ classes ≤ vcs ≤ 64.
std::vector<VcMask> spread_evenly(unsigned vcs, unsigned classes);

/// The first `singles` classes get one virtual channel each, the class after them all others. singles < vcs ≤
/// 64.
std::vector<VcMask> singles_then_rest(unsigned vcs, unsigned singles);

/// A routing function whose classes are the same virtual channels at every network port.
class PartitionedRouting : public RoutingFunction {
 public:
  VcMask class_vcs(RouterId router, PortId port, unsigned vc_class) const override {
    return port == local_port(router) ? all_ : masks_[vc_class];
  }
  unsigned classes() const override { return static_cast<unsigned>(masks_.size()); }

 protected:
  PartitionedRouting(const Topology& topology, std::vector<VcMask> masks)
      : RoutingFunction(topology), masks_(std::move(masks)) {
    for (VcMask mask : masks_) all_ |= mask;
  }

  static bool healthy(const RouteRequest& request, PortId port) {
    return !request.ports || !request.ports->faulty(port);
  }
  /// The message is at its destination.
  [[gnu::always_inline]] void consume(const RouteRequest& request, CandidateList& out) const {
    out.push({.head_state = request.head_state, .port = local_port(request.here)});
  }

 private:
  std::vector<VcMask> masks_;
  VcMask all_ = 0;
};

}  // namespace flitmend
