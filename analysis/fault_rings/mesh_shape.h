// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace flitmend {

/// An R_1 x … x R_n mesh as index arithmetic. No graph is built, so a million nodes cost nothing. Nodes are
/// numbered as in topologies/grid.h: node = x_0 + R_0·(x_1 + R_1·(x_2 + …)), coordinates from 0.
class MeshShape {
 public:
  using Node = std::uint32_t;
  static constexpr unsigned kMaxDimensions = 31;

  /// 1 to 31 dimensions, each radix at least 1, at most 2^26 nodes and 2^28 coordinates (nodes times
  /// dimensions). Throws ConfigurationError.
  explicit MeshShape(std::vector<std::uint32_t> radix);

  unsigned dimensions() const { return static_cast<unsigned>(radix_.size()); }
  std::uint32_t radix(unsigned dimension) const { return radix_[dimension]; }
  Node stride(unsigned dimension) const { return stride_[dimension]; }
  Node node_count() const { return nodes_; }
  std::uint32_t coordinate(Node node, unsigned dimension) const {
    return node / stride_[dimension] % radix_[dimension];
  }
  std::vector<std::uint32_t> coordinates(Node) const;

  /// Undirected links, Σ_i (R_i − 1)·Π_{j≠i} R_j. [Safaei11 eq. 1] means this, but is wrong as printed.
  std::uint64_t link_count() const;
  /// "7x8x11"
  std::string description() const;

 private:
  std::vector<std::uint32_t> radix_;
  std::vector<Node> stride_;
  Node nodes_ = 1;
};

/// "2,2,2"
std::string coordinate_text(const std::vector<std::uint32_t>& coordinates);

}  // namespace flitmend
