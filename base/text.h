// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace flitmend {

/// "1 node", "2 nodes", "0 nodes": a count with its noun. The plural must be regular.
inline std::string counted(std::unsigned_integral auto count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

/// The words in a row, with the separator between them: "a, b, c".
template <class Words>
std::string joined(const Words& words, std::string_view separator = ", ") {
  std::string text;
  bool first = true;
  for (std::string_view word : words) {
    if (!first) text += separator;
    text += word;
    first = false;
  }
  return text;
}

/// The shortest text that reads back as the same number: "0.004", "1e-09", "nan".
inline std::string number_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace flitmend
