// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/errors.h"
#include "testbench/traffic/node_names.h"
#include "testbench/traffic/permutation.h"

namespace flitmend {
namespace {

using Coordinates = std::vector<std::int64_t>;

/// change(coordinates, radices) for all nodes.
template <class Change>
std::vector<NodeId> of_coordinates(const Topology& topology, Change&& change) {
  const std::vector<std::uint32_t> radix = radices(topology);
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
  const std::vector<std::uint32_t> radix = radices(topology);
  if (!std::equal(radix.begin(), radix.end(), radix.rbegin()))
    throw KeyError("traffic.pattern",
                   "transpose needs equal radices (that of dimension i equal to that "
                   "of dimension n - 1 - i); those of the " +
                       topology.description() + " differ");
  const bool halves = topology.name() == "hypercube";
  return of_coordinates(topology, [&](Coordinates& x, const auto&) {
    if (halves) {
      const auto half = static_cast<std::ptrdiff_t>(x.size() / 2);
      std::swap_ranges(x.begin(), x.begin() + half, x.end() - half);
    } else {
      std::reverse(x.begin(), x.end());
    }
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

}  // namespace flitmend
