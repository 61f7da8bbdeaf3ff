// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/parse.h"

#include <charconv>

#include "base/errors.h"

namespace flitmend {

std::vector<std::uint32_t> parse_numbers(std::string_view text, char separator, std::string_view what) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error == std::errc::result_out_of_range && stop == text.data() + end)
      throw ConfigurationError(std::string(what) + " '" + std::string(text) +
                               "': " + std::string(text.substr(at, end - at)) +
                               " is too large; numbers are at most 4294967295");
    if (error != std::errc{} || stop != text.data() + end)
      throw ConfigurationError(std::string(what) + " '" + std::string(text) +
                               "': expected whole numbers with '" + separator + "' between them, like 7" +
                               separator + "8" + separator + "11");
    numbers.push_back(value);
    at = end + 1;
  }
  return numbers;
}

}  // namespace flitmend
