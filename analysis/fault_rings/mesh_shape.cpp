// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/mesh_shape.h"

#include "base/errors.h"
#include "base/text.h"

namespace flitmend {

MeshShape::MeshShape(std::vector<std::uint32_t> radix) : radix_(std::move(radix)) {
  constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 26, kMaxCoordinates = std::uint64_t{1} << 28;
  if (radix_.empty()) throw ConfigurationError("mesh: no dimension given; give at least one, like 8x8");
  if (radix_.size() > kMaxDimensions)
    throw ConfigurationError(
        formatted("mesh: %1% dimensions; at most %2% can be analysed", radix_.size(), kMaxDimensions));
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < radix_.size(); ++i) {
    if (radix_[i] == 0)
      throw ConfigurationError(formatted("mesh %1%: dimension %2% has size 0; every size must be at least 1",
                                         description(), i + 1));
    stride_.push_back(static_cast<Node>(nodes));
    nodes *= radix_[i];
    if (nodes > kMaxNodes)
      throw ConfigurationError("mesh " + description() + ": more than 2^26 nodes; make it smaller");
    if (nodes * dimensions() > kMaxCoordinates)
      throw ConfigurationError("mesh " + description() +
                               ": more than 2^28 coordinates of nodes, nodes times " +
                               "dimensions; make it smaller");
  }
  nodes_ = static_cast<Node>(nodes);
}

std::vector<std::uint32_t> MeshShape::coordinates(Node node) const {
  std::vector<std::uint32_t> result;
  for (unsigned i = 0; i < dimensions(); ++i) result.push_back(coordinate(node, i));
  return result;
}

std::uint64_t MeshShape::link_count() const {
  std::uint64_t links = 0;
  for (std::uint32_t r : radix_) links += std::uint64_t{nodes_ / r} * (r - 1);
  return links;
}

std::string MeshShape::description() const {
  return joined(radix_, "x");
}

std::string coordinate_text(const std::vector<std::uint32_t>& coordinates) {
  return joined(coordinates, ",");
}

}  // namespace flitmend
