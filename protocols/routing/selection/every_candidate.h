// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// routing.request: all. A head requests every free virtual channel of every candidate; nothing is selected.
class EveryCandidate final : public SelectionFunction {
 public:
  bool requests_all() const override { return true; }
  unsigned select(const RouteRequest&, const RouteCandidate*, const VcMask*, unsigned,
                  const OutputStatus&) const override {
    return 0;
  }
};

}  // namespace flitmend
