// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/mesh_shape.h"

#include "base/errors.h"

namespace flitmend {

MeshShape::MeshShape(std::vector<std::uint32_t> radix) : radix_(std::move(radix)) {
  constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << 26, kMaxCoordinates = std::uint64_t{1} << 28;
  if (radix_.empty()) throw ConfigurationError("mesh: no dimension given; give at least one, like 8x8");
  if (radix_.size() > kMaxDimensions)
    throw ConfigurationError("mesh: " + std::to_string(radix_.size()) + " dimensions; at most " +
                             std::to_string(kMaxDimensions) + " can be analysed");
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < radix_.size(); ++i) {
    if (radix_[i] == 0)
      throw ConfigurationError("mesh " + description() + ": dimension " + std::to_string(i + 1) +
                               " has size 0; every size must be at least 1");
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
  std::string text;
  for (std::size_t i = 0; i < radix_.size(); ++i) text += (i ? "x" : "") + std::to_string(radix_[i]);
  return text;
}

std::string coordinate_text(const std::vector<std::uint32_t>& coordinates) {
  std::string text;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    text += (i ? "," : "") + std::to_string(coordinates[i]);
  return text;
}

}  // namespace flitmend
