// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// A k-ary n-cube (an n-dimensional torus with equal radices) as flat tables, for engines that route millions
/// of messages and for routing functions that need Lee distances. Nodes and ports are numbered as in
/// topologies/grid.h: node = a_0 + k·(a_1 + k·(a_2 + …)), port 2i leads to a_i + 1, port 2i + 1 to a_i − 1.
/// For k = 2 both lead to the same neighbour over two parallel links.
class KaryCube {
 public:
  using Node = std::uint32_t;
  using PortMask = std::uint32_t;  ///< bit p: port p; at most 2n = 32 ports
  static constexpr unsigned kMaxDimensions = 16;
  static constexpr Node kMaxNodes = Node{1} << 24;

  /// k ≥ 2, 1 ≤ n ≤ 16, at most 2^24 nodes. Throws ConfigurationError.
  explicit KaryCube(std::uint32_t k, std::uint32_t n = 3);

  std::uint32_t k() const { return k_; }
  unsigned n() const { return n_; }
  unsigned ports() const { return 2 * n_; }
  PortMask all_ports() const { return n_ == 16 ? ~PortMask{0} : (PortMask{1} << ports()) - 1; }
  Node node_count() const { return nodes_; }
  /// Undirected links, n·N: one for port 2i of every node.
  std::uint64_t link_count() const { return std::uint64_t{nodes_} * n_; }
  /// The greatest Lee distance, n·⌊k/2⌋.
  unsigned diameter() const { return n_ * (k_ / 2); }

  Node neighbour(Node node, unsigned port) const { return neighbour_[std::size_t{node} * ports() + port]; }
  std::uint32_t digit(Node node, unsigned dimension) const {
    return digit_[std::size_t{node} * n_ + dimension];
  }
  /// (b_i − a_i) mod k
  std::uint32_t difference(Node a, Node b, unsigned dimension) const {
    const std::uint32_t from = digit(a, dimension), to = digit(b, dimension);
    return to >= from ? to - from : to + k_ - from;
  }
  /// Hops that cover a difference d in the shorter direction, min(d, k − d).
  std::uint32_t ring_distance(std::uint32_t d) const { return d < k_ - d ? d : k_ - d; }
  /// The ports of a dimension (bit 0 plus, bit 1 minus) that reduce a difference d: plus iff d ≠ 0 and
  /// 2d ≤ k, minus iff d ≠ 0 and 2d ≥ k.
  PortMask preferred_in_ring(std::uint32_t d) const {
    return d == 0 ? 0u : (2 * d <= k_ ? 1u : 0u) | (2 * d >= k_ ? 2u : 0u);
  }
  /// Hops on a shortest path.
  std::uint32_t lee_distance(Node a, Node b) const;
  /// Digits that differ.
  std::uint32_t hamming_distance(Node a, Node b) const;
  /// The ports of a that lie on a shortest path to b.
  PortMask preferred_ports(Node a, Node b) const;
  /// The ports of a node that lead to the same neighbour as `port`: that port; for k = 2 both ports of its
  /// dimension.
  PortMask ports_to_same_neighbour(unsigned port) const {
    return k_ == 2 ? PortMask{3} << (port & ~1u) : PortMask{1} << port;
  }

  /// Digits, highest dimension first: "012"; with dots if k > 10: "0.11.2".
  std::string label(Node) const;
  /// The node with that label. Throws ConfigurationError.
  Node node_of(std::string_view label) const;
  /// "8-ary 3-cube"
  std::string description() const;

 private:
  std::uint32_t k_;
  unsigned n_;
  Node nodes_ = 1;
  std::vector<Node> neighbour_;
  std::vector<std::uint32_t> digit_;
};

}  // namespace flitmend
