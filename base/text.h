// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace flitmend {

/// "1 node", "2 nodes", "0 nodes": a count with its noun. The plural must be regular.
inline std::string counted(std::unsigned_integral auto count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

/// An argument of formatted(): an integer of any width, a floating-point number or a text, but not a bool or
/// a char.
class FormatArgument {
 public:
  template <std::integral Number>
  requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) FormatArgument(Number number) {
    if constexpr (std::signed_integral<Number>)
      value_ = std::int64_t{number};
    else
      value_ = std::uint64_t{number};
  }
  FormatArgument(std::floating_point auto number) : value_(double{number}) {}
  FormatArgument(const std::convertible_to<std::string_view> auto& text) : value_(std::string_view(text)) {}

  const auto& value() const { return value_; }

 private:
  std::variant<std::int64_t, std::uint64_t, double, std::string_view> value_;
};

std::string formatted_text(std::string_view format, std::initializer_list<FormatArgument> arguments);

/// The format in the syntax of Boost.Format, with the arguments in the places %1%, %2%, ...; a percent sign
/// is %%. Throws boost::io::format_error if the format has more or fewer places than there are arguments.
/// Boost.Format itself is a heavy header, and stays in text.cpp.
template <class... Arguments>
std::string formatted(std::string_view format, const Arguments&... arguments) {
  return formatted_text(format, {arguments...});
}

/// The words or integers in a row, with the separator between them: "a, b, c", "8x8".
template <class Items>
std::string joined(const Items& items, std::string_view separator = ", ") {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += separator;
    if constexpr (std::integral<std::decay_t<decltype(item)>>)
      text += std::to_string(item);
    else
      text += std::string_view(item);
    first = false;
  }
  return text;
}

/// The shortest text that reads back as the same number: "0.004", "1e-09", "nan".
inline std::string number_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The noun with its indefinite article: "a 4x4 mesh", "an 8x8 mesh", "an 11-node ring". Numbers are read as
/// numbers; a word gets "an" before a vowel.
inline std::string with_article(std::string_view noun) {
  const std::size_t end = noun.find_first_not_of("0123456789");
  const std::string_view number = noun.substr(0, end);
  const bool eleven = (number.starts_with("11") || number.starts_with("18")) && number.size() % 3 == 2;
  const bool vowel = !noun.empty() && std::string_view("aeiouAEIOU").find(noun.front()) != noun.npos;
  return (number.starts_with('8') || eleven || vowel ? "an " : "a ") + std::string(noun);
}

/// A value of the user's in a message: in quotes, and shortened if it is long: 'xxxx…'.
inline std::string shown_value(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a character
  return "'" + std::string(text.substr(0, end)) + "…'";
}

/// The text as one word of a shell's command line, quoted if it has to be.
inline std::string shell_word(const std::string& text) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text)
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  return word + "'";
}

}  // namespace flitmend
