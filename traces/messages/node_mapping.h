// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// New numbers for the nodes of a trace. Those that it does not list keep theirs.
class NodeMapping {
 public:
  NodeMapping() = default;
  /// Reads a CSV file with the columns from,to. Every node is listed once at most in each of the two; `to` is
  /// `last` at most. Throws ConfigurationError.
  explicit NodeMapping(const std::string& file, NodeId last = kMaxNodes - 1);

  bool empty() const { return rows_.empty(); }
  /// The new number of a node of the trace. Throws ConfigurationError if a node with another number has got
  /// it: two nodes of a trace never become one.
  std::uint32_t operator()(std::uint32_t node);

 private:
  struct Row {
    std::uint32_t to;
    int line;
  };
  const Row* row(std::uint32_t node) const;

  std::string file_;
  std::unordered_map<std::uint32_t, Row> rows_;             ///< by `from`
  std::unordered_map<std::uint32_t, std::uint32_t> taken_;  ///< the node of the trace that has a number
};

}  // namespace flitmend
