// SPDX-License-Identifier: Apache-2.0
#include "program/terminal/wrapped_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/escaped_text.h"

namespace flitmend {
std::size_t output_columns(std::size_t otherwise) {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; words >> word; column += display_width(word)) {
    if (column > indent && column + 1 + display_width(word) > width) {
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
    if (width == 0 || display_width(line) <= width)
      lines += line;
    else
      lines += std::string(indent, ' ') + wrapped(line, indent + 2, width);
  }
  if (!text.empty() && text.back() != '\n') lines.pop_back();
  return lines;
}

}  // namespace flitmend
