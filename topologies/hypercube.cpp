// SPDX-License-Identifier: Apache-2.0
#include "topologies/hypercube.h"

#include "base/errors.h"

namespace flitmend {
namespace {

constexpr std::uint32_t kMaxCube = 20;

std::vector<std::uint32_t> cube(std::uint32_t dimensions) {
  if (dimensions < 1 || dimensions > kMaxCube)
    throw KeyError("network.dimensions", std::to_string(dimensions) + "; a hypercube has 1 to " +
                                             std::to_string(kMaxCube) + " dimensions");
  return std::vector<std::uint32_t>(dimensions, 2);
}

}  // namespace

Hypercube::Hypercube(std::uint32_t dimensions) : Grid(Kind::hypercube, cube(dimensions)) {}

}  // namespace flitmend
