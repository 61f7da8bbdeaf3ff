// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace flitmend {

/// A table in plain text: columns as wide as their widest cell, two spaces between them, a rule under the
/// head. Columns are right-aligned (numbers) unless they say otherwise.
class TextTable {
 public:
  struct Column {
    std::string head;
    enum class Align { left, right } align = Align::right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One row; missing cells at its end are empty.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print(std::ostream&) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// "%.6f" and the like, through Boost.Format.
std::string formatted(const char* format, double value);

}  // namespace flitmend
