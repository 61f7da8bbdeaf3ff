// SPDX-License-Identifier: Apache-2.0
#include "testbench/traffic/half_shift.h"

#include "testbench/traffic/pattern.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {

std::vector<NodeId> half_shift(const Topology& topology) {
  const NodeId nodes = topology.node_count();
  std::vector<NodeId> partner(nodes);
  for (NodeId s = 0; s < nodes; ++s) partner[s] = (s + nodes / 2) % nodes;
  return partner;
}

PatternEntry half_shift_pattern() {
  return {
      .name = "half-shift",
      .description = "the node whose number is N/2 greater, mod N",
      .permutation = true,
      .make = make_permutation<half_shift>,
  };
}

}  // namespace flitmend
