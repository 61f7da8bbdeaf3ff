// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

/// A number in a table, with `decimals` digits after the decimal point: "0.250".
std::string with_decimals(double value, int decimals);

/// A table, written as plain text, as Markdown or as HTML.
struct Table {
  enum Align { left, right };  ///< right: for numbers
  struct Column {
    std::string head;
    Align align = left;
    std::string explanation = "";  ///< in HTML, a tooltip of the heading
  };
  std::string title = "";  ///< in HTML, the caption; elsewhere it is up to the caller
  std::vector<Column> columns = {};
  std::vector<std::vector<std::string>> rows = {};  ///< missing cells at the end of a row are empty

  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }

  /// For a terminal: columns as wide as their widest cell, two spaces between them, a rule below the
  /// headings. A line break in a cell is written as an escape.
  std::string text() const;
  /// Lines of Markdown. A | in a cell is escaped.
  std::string markdown() const;
  /// A <table> of class "sortable"; cells of columns on the right have the class "n".
  std::string html() const;
};

}  // namespace flitmend
