// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/wrapped_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace flitmend {
namespace {

/// Characters: continuation bytes of UTF-8 have no width.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::size_t output_columns(std::size_t otherwise) {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word; column += columns(word)) {
    if (column > indent && column + 1 + columns(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines;
}

std::string wrapped_lines(const std::string& text, std::size_t width) {
  std::string lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line); lines += '\n') {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (width == 0 || columns(line) <= width)
      lines += line;
    else
      lines += std::string(indent, ' ') + wrapped(line, indent + 2, width);
  }
  if (!text.empty() && text.back() != '\n') lines.pop_back();
  return lines;
}

}  // namespace flitmend
