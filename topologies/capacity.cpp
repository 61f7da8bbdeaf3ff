// SPDX-License-Identifier: Apache-2.0
#include "topologies/capacity.h"

namespace flitmend {

double capacity_flits(const Topology& topology) {
  return 2.0 * static_cast<double>(topology.bisection_channels()) / topology.node_count();
}

}  // namespace flitmend
