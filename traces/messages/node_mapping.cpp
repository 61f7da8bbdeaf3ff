// SPDX-License-Identifier: Apache-2.0
#include "traces/messages/node_mapping.h"

#include <algorithm>

#include "base/csv_reader.h"
#include "base/text.h"

namespace flitmend {

NodeMapping::NodeMapping(const std::string& file, NodeId last) : file_(file) {
  constexpr CsvReader::Column kMappingColumns[] = {{"from", true}, {"to", true}};
  CsvReader reader(file, kMappingColumns);
  std::unordered_map<std::uint32_t, int> line_of_target;
  while (reader.read()) {
    const int line = reader.place().line;
    const auto from = static_cast<std::uint32_t>(reader.whole(0, 0, kMaxNodes - 1)),
               to = static_cast<std::uint32_t>(reader.whole(1, 0, last));
    const auto refuse_second = [&](std::size_t column, std::uint32_t node, int first) {
      reader.fail(column, formatted("node %1% is in line %2%, too; list each node once", node, first));
    };
    if (const auto [row, is_new] = rows_.try_emplace(from, Row{to, line}); !is_new)
      refuse_second(0, from, row->second.line);
    if (const auto [first, is_new] = line_of_target.try_emplace(to, line); !is_new)
      refuse_second(1, to, first->second);
  }
}

const NodeMapping::Row* NodeMapping::row(std::uint32_t node) const {
  const auto found = rows_.find(node);
  return found == rows_.end() ? nullptr : &found->second;
}

std::uint32_t NodeMapping::operator()(std::uint32_t node) {
  if (empty()) return node;
  const Row* const own = row(node);
  const std::uint32_t to = own ? own->to : node;
  const auto [first, is_new] = taken_.try_emplace(to, node);
  if (is_new || first->second == node) return to;
  // One of the two is listed, for no two rows have the same target.
  throw ConfigurationError(
      Place{file_, (own ? own : row(first->second))->line},
      formatted("the mapping makes nodes %1% and %2% of the trace both node %3%; map each to its own",
                std::min(node, first->second), std::max(node, first->second), to));
}

}  // namespace flitmend
