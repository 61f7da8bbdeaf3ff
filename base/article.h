// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// The noun with its indefinite article: "a 4x4 mesh", "an 8x8 mesh", "an 11-node ring". Numbers are read as
/// numbers; a word gets "an" before a vowel.
inline std::string with_article(std::string_view noun) {
  const std::size_t end = noun.find_first_not_of("0123456789");
  const std::string_view number = noun.substr(0, end);
  const bool eleven = (number.starts_with("11") || number.starts_with("18")) && number.size() % 3 == 2;
  const bool vowel = !noun.empty() && std::string_view("aeiouAEIOU").find(noun.front()) != noun.npos;
  return (number.starts_with('8') || eleven || vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace flitmend
