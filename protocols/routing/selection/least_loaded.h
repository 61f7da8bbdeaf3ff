// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/routing/selection/round_robin.h"

namespace flitmend {

/// The free candidate whose output is least loaded by some measure; ties in round-robin order.
class LeastLoaded : public SelectionFunction {
 public:
  explicit LeastLoaded(const Topology& topology) : pointers_(topology) {}
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;

 protected:
  /// Greater if the output is less loaded.
  virtual unsigned room(const OutputStatus&, PortId) const = 0;

 private:
  mutable PortPointers pointers_;
};

/// Most free virtual channels at the port (minimum congestion).
class MostFreeVcs : public LeastLoaded {
  using LeastLoaded::LeastLoaded;
  unsigned room(const OutputStatus&, PortId) const override;
};

/// Most credits, summed over all virtual channels of the port.
class MostCredits : public LeastLoaded {
  using LeastLoaded::LeastLoaded;
  unsigned room(const OutputStatus&, PortId) const override;
};

}  // namespace flitmend
