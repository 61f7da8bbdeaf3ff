// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/interfaces/routing_function.h"

namespace flitmend {

/// The port in the dimension and direction in which the head is moving, else the first free candidate ("no
/// turn" rule). Applies to topologies whose ports come in pairs 2i, 2i + 1 of opposite directions; on others
/// it is the first free candidate.
class Straight : public SelectionFunction {
 public:
  explicit Straight(const Topology& topology);
  unsigned select(const RouteRequest&, const RouteCandidate* candidates, const VcMask* available,
                  unsigned count, const OutputStatus&) const override;

 private:
  bool paired_ports_;
};

}  // namespace flitmend
