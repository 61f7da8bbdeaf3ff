// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// A free candidate at random, all equally likely. Draws from the router's own stream only if there is a
/// choice.
class RandomFree : public SelectionFunction {
 public:
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;
};

}  // namespace flitmend
