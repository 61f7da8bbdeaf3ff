// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "testbench/traffic/pattern.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {
namespace {

/// destination(s, b) for all nodes s.
template <class Destination>
std::vector<NodeId> of_bits(const Topology& topology, Destination&& destination) {
  const NodeId nodes = topology.node_count();
  const auto bits = static_cast<unsigned>(std::countr_zero(nodes));
  std::vector<NodeId> partner(nodes);
  for (NodeId s = 0; s < nodes; ++s) partner[s] = destination(s, bits);
  return partner;
}

NodeId bit(NodeId s, unsigned i) {
  return s >> i & 1;
}

template <std::vector<NodeId> (*partners)(const Topology&)>
PatternEntry bit_permutation(std::string_view name, std::string_view description) {
  return {
      .name = name,
      .description = description,
      .needs = "2^b nodes",
      .applies_to = [](const Topology& t) { return std::has_single_bit(t.node_count()); },
      .permutation = true,
      .make = make_permutation<partners>,
  };
}

}  // namespace

std::vector<NodeId> bit_reversal(const Topology& topology) {
  return of_bits(topology, [](NodeId s, unsigned b) {
    NodeId d = 0;
    for (unsigned i = 0; i < b; ++i) d |= bit(s, i) << (b - 1 - i);
    return d;
  });
}

std::vector<NodeId> perfect_shuffle(const Topology& topology) {
  return of_bits(topology, [](NodeId s, unsigned b) {
    const NodeId all = (NodeId{1} << b) - 1;
    return (s << 1 & all) | bit(s, b - 1);
  });
}

std::vector<NodeId> butterfly(const Topology& topology) {
  return of_bits(topology, [](NodeId s, unsigned b) {
    const NodeId ends = NodeId{1} | NodeId{1} << (b - 1);
    return (s & ~ends) | bit(s, b - 1) | bit(s, 0) << (b - 1);
  });
}

PatternEntry bit_reversal_pattern() {
  return bit_permutation<bit_reversal>("bit-reversal", "bits of the node's number in reverse order");
}

PatternEntry shuffle_pattern() {
  return bit_permutation<perfect_shuffle>("shuffle",
                                          "perfect shuffle: bits of the node's number rotated left by one");
}

PatternEntry butterfly_pattern() {
  return bit_permutation<butterfly>("butterfly", "highest and lowest bit of the node's number swapped");
}

}  // namespace flitmend
