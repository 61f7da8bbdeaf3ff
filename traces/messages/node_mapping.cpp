// SPDX-License-Identifier: Apache-2.0
#include "traces/messages/node_mapping.h"

#include <algorithm>

#include "base/csv_reader.h"
#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

// Nodes of a trace: the numbers that are listed, the names that are listed, and those that keep their number.
constexpr std::uint64_t kFirstName = std::uint64_t{1} << 32;
constexpr std::uint64_t kKept = std::uint64_t{1} << 33;

bool is_whole(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

NodeMapping::NodeMapping(const std::string& file, NodeId last, const NodeOf& node_of) : file_(file) {
  constexpr CsvReader::Column kMappingColumns[] = {{"from", true}, {"to", true}};
  CsvReader reader(file, kMappingColumns,
                   [](std::string_view first) { return first != "from" && first != "to"; });
  std::unordered_map<std::uint32_t, int> line_of_target;
  while (reader.read()) {
    const int line = reader.place().line;
    const auto refuse_second = [&](std::size_t column, const std::string& node, int first) {
      reader.fail(column, formatted("node %1% is in line %2%, too; list each node once", node, first));
    };
    const std::string_view from = reader.field(0), target = reader.field(1);
    const auto to = node_of && !is_whole(target) ? node_of(target, reader.place(1))
                                                 : static_cast<std::uint32_t>(reader.whole(1, 0, last));
    if (is_whole(from)) {
      const auto node = static_cast<std::uint32_t>(reader.whole(0, 0, kMaxNodes - 1));
      if (const auto [row, is_new] = rows_.try_emplace(node, Row{to, line}); !is_new)
        refuse_second(0, std::to_string(node), row->second.line);
    } else {
      if (!is_visible(from))
        reader.fail(0, shown_value(from) + " has characters that nobody can see; remove them");
      const auto [named, is_new] = named_.try_emplace(
          std::string(from), Named{{to, line}, kFirstName + names_.size(), reader.place(0)});
      if (!is_new) refuse_second(0, shown_value(from), named->second.row.line);
      names_.emplace_back(from);
    }
    if (const auto [first, is_new] = line_of_target.try_emplace(to, line); !is_new)
      refuse_second(1, std::to_string(to), first->second);
  }
}

std::uint32_t NodeMapping::operator()(std::uint32_t node) {
  if (empty()) return node;
  const auto row = rows_.find(node);
  return row == rows_.end() ? keep(node) : take(row->second.to, node);
}

std::uint32_t NodeMapping::keep(std::uint32_t node) {
  return take(node, kKept + node);
}

std::optional<std::uint32_t> NodeMapping::operator()(std::string_view name) {
  const auto found = named_.find(name);
  if (found == named_.end()) return std::nullopt;
  return take(found->second.row.to, found->second.node);
}

std::uint32_t NodeMapping::take(std::uint32_t to, std::uint64_t node) {
  const auto [first, is_new] = taken_.try_emplace(to, node);
  if (is_new || first->second == node) return to;
  // One of the two is listed, for no two rows have the same target.
  const int line = line_of(node);
  throw ConfigurationError(
      Place{file_, line > 0 ? line : line_of(first->second)},
      formatted("the mapping makes nodes %1% and %2% of the trace both node %3%; map each to its own",
                text_of(std::min(node, first->second)), text_of(std::max(node, first->second)), to));
}

void NodeMapping::refuse_unused_names() const {
  for (const std::string& name : names_) {
    const Named& named = named_.find(name)->second;
    const auto taken = taken_.find(named.row.to);
    if (taken == taken_.end() || taken->second != named.node)
      throw ConfigurationError(
          named.place, "no node of the trace has the name " + shown_value(name) + "; mend or remove it");
  }
}

int NodeMapping::line_of(std::uint64_t node) const {
  if (node >= kKept) return 0;
  if (node >= kFirstName) return named_.find(names_[node - kFirstName])->second.row.line;
  return rows_.find(static_cast<std::uint32_t>(node))->second.line;
}

std::string NodeMapping::text_of(std::uint64_t node) const {
  if (node >= kKept) return std::to_string(node - kKept);
  return node >= kFirstName ? shown_value(names_[node - kFirstName]) : std::to_string(node);
}

}  // namespace flitmend
