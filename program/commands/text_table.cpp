// SPDX-License-Identifier: Apache-2.0
#include "program/commands/text_table.h"

#include <algorithm>
#include <boost/format.hpp>

#include "base/escaped_text.h"

namespace flitmend {
namespace {

/// Characters, not bytes: UTF-8 continuation bytes have no width.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = escaped_text(cell);
  rows_.push_back(std::move(cells));
}

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (const Column& c : columns_) widths.push_back(width(c.head));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  const auto line = [&](auto&& cell_of) {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string cell = cell_of(i);
      const std::string padding(widths[i] - width(cell), ' ');
      if (i) text += "  ";
      text += columns_[i].align == Column::Align::left ? cell + padding : padding + cell;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  };
  line([&](std::size_t i) { return columns_[i].head; });
  line([&](std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : rows_) line([&](std::size_t i) { return i < row.size() ? row[i] : std::string(); });
}

std::string formatted(const char* format, double value) {
  return (boost::format(format) % value).str();
}

}  // namespace flitmend
