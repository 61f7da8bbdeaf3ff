// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/fault_rings/fault_pattern.h"
#include "base/random_stream.h"

namespace flitmend {

/// What every region of a random pattern is like; `any` asks for nothing.
enum class PatternShape { block, orthogonally_convex, concave, any };
std::string_view to_string(PatternShape);

/// Random fault patterns of a mesh [Safaei11 section 4]: a number of faulty nodes in a number of separate
/// regions of one shape that leave the healthy nodes connected.
///
/// `any`: uniform among all such sets; the number of regions is what comes out. Other shapes: the nodes are
/// divided among the regions, uniform among all ways that leave each enough for its shape. A block is uniform
/// among all boxes of its number of nodes, by size and place; no box is as long as the mesh in a dimension
/// [Safaei11 section 3.2]. Other regions grow from a uniform node by one uniform neighbour after the other,
/// orthogonally convex ones by neighbours that leave them so, and are drawn anew until they have their shape.
/// If regions touch, or nodes are cut off, all is drawn anew.
class RandomPatterns {
 public:
  using Node = MeshShape::Node;
  static constexpr std::uint32_t kMaxDraws = 20'000;  ///< of regions, for one pattern

  /// Throws ConfigurationError: no faulty node or no healthy node; no region, or more than there are nodes;
  /// no boxes of that many nodes fit; too few nodes for the shape; the number of regions is given for `any`.
  RandomPatterns(const MeshShape&, std::uint32_t faulty_nodes, PatternShape, std::uint32_t regions = 1);

  /// Adds the draws of regions and of patterns that did not fit to `rejected`. Throws ConfigurationError
  /// after kMaxDraws of them.
  FaultPattern draw(RandomStream&, std::uint64_t& rejected) const;

 private:
  struct Box {
    std::vector<std::uint32_t> size;
    std::uint64_t until;  ///< places of this box and of those before it
  };

  /// The boxes of that many nodes, with their places in the mesh.
  std::vector<Box> boxes_of(std::uint32_t nodes) const;
  /// Nodes of each region.
  std::vector<std::uint32_t> divide(RandomStream&) const;
  /// Empty if there is no box of that many nodes.
  std::vector<Node> block(std::uint32_t nodes, RandomStream&) const;
  /// Fewer nodes if the region cannot grow to that size.
  std::vector<Node> grown(std::uint32_t nodes, RandomStream&) const;
  std::vector<Node> any(RandomStream&) const;
  /// Draws until a region has the shape, at most kMaxDraws in all; empty if none has.
  std::vector<Node> region(std::uint32_t nodes, RandomStream&, std::uint32_t& draws,
                           std::uint64_t& rejected) const;
  bool fits(const FaultPattern&) const;

  MeshShape mesh_;
  std::uint32_t faulty_nodes_;
  PatternShape shape_;
  std::uint32_t regions_;
  std::map<std::uint32_t, std::vector<Box>> boxes_;  ///< by number of nodes, for blocks
};

}  // namespace flitmend
