// SPDX-License-Identifier: Apache-2.0
#include "topologies/hypercube.h"

#include <algorithm>
#include <numeric>

#include "base/errors.h"
#include "base/text.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kMaxCube = 20;

std::vector<std::uint32_t> cube(std::uint32_t dimensions) {
  if (dimensions < 1 || dimensions > kMaxCube)
    throw KeyError("network.dimensions",
                   formatted("%1%; a hypercube has 1 to %2% dimensions", dimensions, kMaxCube));
  return std::vector<std::uint32_t>(dimensions, 2);
}

}  // namespace

Hypercube::Hypercube(std::uint32_t dimensions)
    : Grid("hypercube", cube(dimensions), kNoRings, Ports::single) {}

std::string Hypercube::description() const {
  return formatted("%1%-dimensional hypercube", dimensions());
}

std::vector<unsigned> Hypercube::transposition() const {
  std::vector<unsigned> from(dimensions());
  std::iota(from.begin(), from.end(), 0u);
  const auto half = static_cast<std::ptrdiff_t>(dimensions() / 2);
  std::swap_ranges(from.begin(), from.begin() + half, from.end() - half);
  return from;
}

TopologyEntry hypercube_topology() {
  return {
      .name = "hypercube",
      .description = "n-dimensional hypercube, 2^n nodes",
      .size_keys = {"dimensions"},
      .default_size = {.dimensions = 6},
      .examples = {{.dimensions = 1}, {.dimensions = 2}, {.dimensions = 3}, {.dimensions = 4}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Hypercube>(static_cast<std::uint32_t>(s.dimensions));
      },
  };
}

}  // namespace flitmend
