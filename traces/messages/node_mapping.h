// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/errors.h"
#include "topologies/topology.h"

namespace flitmend {

/// New nodes for the nodes of a trace, which are numbers or names. Those that it does not list keep theirs.
class NodeMapping {
 public:
  /// The node that a name in column `to` means. Throws ConfigurationError with the place.
  using NodeOf = std::function<NodeId(std::string_view, const Place&)>;

  NodeMapping() = default;
  /// Reads a CSV file with the columns from,to. Every node is listed once at most in each of the two; `to` is
  /// a number, `last` at most, or if there is a node_of a name. Throws ConfigurationError.
  explicit NodeMapping(const std::string& file, NodeId last = kMaxNodes - 1, const NodeOf& node_of = {});

  bool empty() const { return rows_.empty() && named_.empty(); }
  /// The new number of a node of the trace. Throws ConfigurationError if a node with another number or name
  /// has got it: two nodes of a trace never become one.
  std::uint32_t operator()(std::uint32_t node);
  /// The same of a node with a name; none if the mapping does not list it.
  std::optional<std::uint32_t> operator()(std::string_view name);
  /// A node of the trace has that number, whatever the mapping says. Throws ConfigurationError likewise.
  std::uint32_t keep(std::uint32_t node);
  const std::string& file() const { return file_; }
  /// At the end of the trace: throws ConfigurationError if it lists a name that no node had.
  void refuse_unused_names() const;

 private:
  struct Row {
    std::uint32_t to;
    int line;
  };
  struct Named {
    Row row;
    std::uint64_t node;  ///< what it is in taken_
    Place place;
  };
  std::uint32_t take(std::uint32_t to, std::uint64_t node);
  /// The line that lists a node; 0: none.
  int line_of(std::uint64_t node) const;
  std::string text_of(std::uint64_t node) const;

  std::string file_;
  std::unordered_map<std::uint32_t, Row> rows_;             ///< by `from`
  std::map<std::string, Named, std::less<>> named_;         ///< likewise
  std::vector<std::string> names_;                          ///< in the order of the file
  std::unordered_map<std::uint32_t, std::uint64_t> taken_;  ///< the node of the trace that has a number
};

}  // namespace flitmend
