// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <string>
#include <vector>

namespace flitmend {

/// A table in plain text: columns as wide as their widest cell, two spaces between them, a rule below the
/// headings. Columns are right-aligned (numbers) unless specified otherwise.
class TextTable {
 public:
  struct Column {
    std::string head;
    enum class Align { left, right } align = Align::right;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds one row; missing cells at its end are empty. A line break in a cell is written as an escape.
  void add(std::vector<std::string> cells);
  void print(std::ostream&) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Formats a number with "%.6f" or similar, through Boost.Format.
std::string formatted(const char* format, double value);

}  // namespace flitmend
