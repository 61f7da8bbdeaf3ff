// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "topologies/fault_set.h"
#include "topologies/grid.h"

namespace flitmend {

/// The nodes in blocks around the faults of a mesh, by router. A healthy node with bad neighbours in two
/// dimensions is disabled and counts as bad, and so on until nothing changes. The end of a faulty link with
/// the lower number counts as bad.
std::vector<bool> nodes_in_blocks(const Grid& mesh, const FaultSet&);

/// The blocks of a mesh [Boppana95]: every connected region of bad nodes is a box. Take the largest box in a
/// region: if one node of the region touches a face of it, the next nodes along that face have bad neighbours
/// in two dimensions, so they are bad too, and the box with that whole layer is larger.
class FaultBlocks {
 public:
  /// Coordinates of the lowest and of the highest node, by dimension.
  struct Block {
    std::vector<std::uint32_t> low, high;
  };

  /// Without faults. The mesh must outlive this.
  explicit FaultBlocks(const Grid& mesh) : mesh_(mesh), block_(mesh.router_count(), kNone) {}

  void update(const FaultSet&);

  /// Faulty or disabled.
  bool bad(RouterId router) const { return block_[router] != kNone; }
  /// The block of a bad node.
  const Block& block(RouterId router) const { return blocks_[block_[router]]; }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  void join(RouterId first);

  const Grid& mesh_;
  std::vector<std::uint32_t> block_;  ///< by router: the number of its block
  std::vector<Block> blocks_;
};

/// By router: the healthy nodes that are disabled with these faults.
std::vector<bool> disabled_by_blocks(const FaultSet&);

}  // namespace flitmend
