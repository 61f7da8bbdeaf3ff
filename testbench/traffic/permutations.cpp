// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

namespace {

using Coordinates = std::vector<std::int64_t>;

/// change(coordinates, radices) for all nodes.
template <class Change>
std::vector<NodeId> of_coordinates(const Topology& topology, Change&& change) {
  const std::vector<std::uint32_t>& radix = topology.radices();
  std::vector<NodeId> partner(topology.node_count());
  for (NodeId node = 0; node < topology.node_count(); ++node) {
    const std::vector<std::uint32_t> at = topology.coordinates(node);
    Coordinates x(at.begin(), at.end());
    change(x, radix);
    partner[node] = topology.node_at(x).value();
  }
  return partner;
}

}  // namespace

std::vector<NodeId> transpose(const Topology& topology) {
  return of_coordinates(topology, [from = topology.transposition()](Coordinates& x, const auto&) {
    const Coordinates old = x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = old[from[i]];
  });
}

std::vector<NodeId> complement(const Topology& topology) {
  return of_coordinates(topology, [](Coordinates& x, const auto& radix) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = radix[i] - 1 - x[i];
  });
}

std::vector<NodeId> tornado(const Topology& topology) {
  return of_coordinates(topology, [](Coordinates& x, const auto& radix) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + (radix[i] + 1) / 2 - 1) % radix[i];
  });
}

std::vector<NodeId> neighbour(const Topology& topology) {
  return of_coordinates(topology, [](Coordinates& x, const auto& radix) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + 1) % radix[i];
  });
}

PatternEntry transpose_pattern() {
  return {
      .name = "transpose",
      .description = "coordinates in reverse order; on a hypercube the halves of the address are swapped",
      .needs = "equal radices (that of dimension i equal to that of dimension n - 1 - i)",
      .applies_to =
          [](const Topology& t) {
            const std::vector<unsigned> from = t.transposition();
            for (unsigned i = 0; i < t.dimensions(); ++i)
              if (t.radix(i) != t.radix(from[i])) return false;
            return true;
          },
      .permutation = true,
      .make = make_permutation<transpose>,
  };
}

PatternEntry complement_pattern() {
  return {
      .name = "complement",
      .description = "k - 1 - x in every dimension; if there are 2^b nodes, all bits inverted",
      .permutation = true,
      .make = make_permutation<complement>,
  };
}

PatternEntry tornado_pattern() {
  return {
      .name = "tornado",
      .description = "x + ceil(k/2) - 1 mod k in every dimension",
      .needs = "a radix above 2",
      .applies_to =
          [](const Topology& t) { return *std::max_element(t.radices().begin(), t.radices().end()) > 2; },
      .permutation = true,
      .make = make_permutation<tornado>,
  };
}

PatternEntry neighbour_pattern() {
  return {
      .name = "neighbour",
      .description = "x + 1 mod k in every dimension",
      .permutation = true,
      .make = make_permutation<neighbour>,
  };
}

}  // namespace flitmend
