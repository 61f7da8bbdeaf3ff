// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// Every node's partner is half the network away: s + ⌊N/2⌋ mod N.
std::vector<NodeId> half_shift(const Topology&);

}  // namespace flitmend
