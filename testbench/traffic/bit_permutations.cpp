// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "base/errors.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {
namespace {

/// destination(s, b) for all nodes s.
template <class Destination>
std::vector<NodeId> of_bits(const Topology& topology, const char* pattern, Destination&& destination) {
  const NodeId nodes = topology.node_count();
  if (!std::has_single_bit(nodes))
    throw KeyError("traffic.pattern", std::string(pattern) + " needs a power of two of nodes; the " +
                                          topology.description() + " has " + std::to_string(nodes));
  const auto bits = static_cast<unsigned>(std::countr_zero(nodes));
  std::vector<NodeId> partner(nodes);
  for (NodeId s = 0; s < nodes; ++s) partner[s] = destination(s, bits);
  return partner;
}

NodeId bit(NodeId s, unsigned i) {
  return s >> i & 1;
}

}  // namespace

std::vector<NodeId> bit_reversal(const Topology& topology) {
  return of_bits(topology, "bit-reversal", [](NodeId s, unsigned b) {
    NodeId d = 0;
    for (unsigned i = 0; i < b; ++i) d |= bit(s, i) << (b - 1 - i);
    return d;
  });
}

std::vector<NodeId> perfect_shuffle(const Topology& topology) {
  return of_bits(topology, "shuffle", [](NodeId s, unsigned b) {
    const NodeId all = (NodeId{1} << b) - 1;
    return (s << 1 & all) | bit(s, b - 1);
  });
}

std::vector<NodeId> butterfly(const Topology& topology) {
  return of_bits(topology, "butterfly", [](NodeId s, unsigned b) {
    const NodeId ends = NodeId{1} | NodeId{1} << (b - 1);
    return (s & ~ends) | bit(s, b - 1) | bit(s, 0) << (b - 1);
  });
}

}  // namespace flitmend
