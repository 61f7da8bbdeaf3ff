// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitmend {

/// Finds the vertices of a directed graph from which marked vertices can be reached. Add the edges, then
/// mark; O(vertices + edges). Memory is reused from one graph to the next.
class BackwardReach {
 public:
  explicit BackwardReach(std::size_t vertices = 0) { reset(vertices); }

  /// Starts a graph of that many vertices, 0 … vertices − 1, without edges.
  void reset(std::size_t vertices);
  void add_edge(std::uint32_t from, std::uint32_t to) {
    edges_.push_back({from, to});
    indexed_ = false;
  }
  /// Marks every vertex from which a marked vertex can be reached. `marked` has one entry per vertex.
  void mark(std::vector<char>& marked);

 private:
  struct Edge {
    std::uint32_t from, to;
  };
  void index();

  std::size_t vertices_ = 0;
  std::vector<Edge> edges_;
  bool indexed_ = false;
  std::vector<std::size_t> first_;     // by vertex, plus one: index of its first predecessor
  std::vector<std::uint32_t> before_;  // predecessors of all vertices
  std::vector<std::uint32_t> todo_;
};

}  // namespace flitmend
