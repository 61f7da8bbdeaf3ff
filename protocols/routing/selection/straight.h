// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// The port in the dimension and direction in which the head is moving, else the first free candidate ("no
/// turn" rule). Where links have no direction, or a router has one port per dimension, it is the first
/// free candidate.
class Straight : public SelectionFunction {
 public:
  explicit Straight(const Topology& topology) : topology_(topology) {}
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;

 private:
  const Topology& topology_;
};

}  // namespace flitmend
