// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// The last free candidate in the order of the routing function.
class LastFree : public SelectionFunction {
 public:
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;
};

}  // namespace flitmend
