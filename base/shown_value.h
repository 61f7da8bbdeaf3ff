// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// A value of the user's in a message: in quotes, and no more of it than tells it from others: 'xxxx…'.
inline std::string shown_value(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return "'" + std::string(text.substr(0, end)) + "…'";
}

}  // namespace flitmend
