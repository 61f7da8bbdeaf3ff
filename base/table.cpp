// SPDX-License-Identifier: Apache-2.0
#include "base/table.h"

#include <algorithm>

#include "base/escaped_text.h"
#include "base/text.h"

namespace flitmend {
namespace {

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " |";
  }
  return line + '\n';
}

}  // namespace

std::string with_decimals(double value, int decimals) {
  return formatted(formatted("%%.%1%f", decimals), value);
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines(2);
  for (const Column& column : columns) lines.front().push_back(column.head);
  for (const auto& row : rows) {
    lines.emplace_back();
    for (const std::string& cell : row) lines.back().push_back(escaped_text(cell));
  }
  std::vector<std::size_t> widths(columns.size());
  for (auto& line : lines) {
    line.resize(columns.size());
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));
  }
  for (std::size_t i = 0; i < columns.size(); ++i) lines[1][i] = std::string(widths[i], '-');
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - display_width(line[i]), ' ');
      text += (i ? "  " : "") + (columns[i].align == left ? line[i] + padding : padding + line[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string Table::markdown() const {
  std::vector<std::string> heads;
  std::string rule = "|";
  for (const Column& column : columns) {
    heads.push_back(column.head);
    rule += column.align == left ? "---|" : "---:|";
  }
  std::string text = markdown_row(heads) + rule + '\n';
  for (const auto& row : rows) text += markdown_row(row);
  return text;
}

std::string Table::html() const {
  const auto number = [&](std::size_t i) {
    return i < columns.size() && columns[i].align == right ? " class=\"n\"" : "";
  };
  std::string html =
      "<table class=\"sortable\">\n<caption>" + html_escaped(title) + "</caption>\n<thead><tr>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& c = columns[i];
    html += std::string("<th scope=\"col\"") + number(i) +
            (c.explanation.empty() ? "" : " title=\"" + html_escaped(c.explanation) + "\"") + ">" +
            html_escaped(c.head) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      html += std::string("<td") + number(i) + ">" + html_escaped(row[i]) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table>";
}

}  // namespace flitmend
