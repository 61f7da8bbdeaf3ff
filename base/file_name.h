// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace flitmend {

/// Whether the value of a key that takes a file is the name of one, and not the content itself: a graph
/// begins with '<', a table has several lines.
inline bool is_file_name(std::string_view value) {
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return first != value.npos && value[first] != '<' && value.find('\n') == value.npos;
}

}  // namespace flitmend
