// SPDX-License-Identifier: Apache-2.0
#include "support/text_mutator.h"

#include <algorithm>
#include <iterator>

namespace flitmend::test {
namespace {

constexpr const char* kValues[] = {"0",
                                   "-1",
                                   "1",
                                   "2",
                                   "3",
                                   "7",
                                   "64",
                                   "65",
                                   "65535",
                                   "65536",
                                   "1048576",
                                   "2147483648",
                                   "4294967296",
                                   "9007199254740993",
                                   "9223372036854775807",
                                   "9223372036854775808",
                                   "-9223372036854775808",
                                   "1e308",
                                   "1e999",
                                   "-1e999",
                                   "1e-320",
                                   "0.5",
                                   "0x10",
                                   "0b1",
                                   "1_000",
                                   ".inf",
                                   "-.inf",
                                   ".nan",
                                   "nan",
                                   "true",
                                   "no",
                                   "~",
                                   "null",
                                   "''",
                                   "\"\"",
                                   "' '",
                                   "[]",
                                   "{}",
                                   "[[]]",
                                   "[1]",
                                   "[1, 2, 3]",
                                   "[0, 0]",
                                   "[-1, 4]",
                                   "[2, 2, 2, 2, 2, 2]",
                                   "[99999999999999999999]",
                                   "{a: 1}",
                                   "{a: {b: {c: 1}}}",
                                   "torus",
                                   "hypercube",
                                   "kns",
                                   "duato",
                                   "tfar",
                                   "none",
                                   "halves",
                                   "capacity",
                                   "hotspot",
                                   "permutation",
                                   "bursty",
                                   "virtual-cut-through",
                                   "/dev/null",
                                   "/",
                                   ".",
                                   "nowhere/at/all",
                                   "\"\\e[31m\"",
                                   "\"\\0\"",
                                   "\"a\\nb\"",
                                   "\xe2\x80\xae",
                                   "日本",
                                   "*alias",
                                   "&anchor 1",
                                   "!!str 1",
                                   "|\n  block",
                                   ">\n  folded",
                                   "- 1",
                                   "a: b",
                                   "%d%s%n",
                                   "'unclosed"};

constexpr const char* kTokens[] = {":",  ": ",   "{",     "}",     "[",    "]",    ",",       "-",
                                   "- ", "#",    "&a ",   "*a",    "!",    "|",    ">",       "'",
                                   "\"", "%",    "@",     "`",     "?",    "<<: ", "\t",      "\n",
                                   "\r", "\n\n", "---\n", "...\n", "\xff", "\xc3", "\x1b[2J", "\xef\xbb\xbf",
                                   " ",  "    "};

/// Half-open ranges of the text.
struct Span {
  std::size_t begin;
  std::size_t end;
};

/// Words before a colon, and the values after one up to the end of the line, a comma or a bracket.
std::vector<Span> keys_of(const std::string& text) {
  std::vector<Span> spans;
  for (std::size_t colon = text.find(": "); colon != text.npos; colon = text.find(": ", colon + 1)) {
    std::size_t begin = colon;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '_'))
      --begin;
    if (begin < colon) spans.push_back({begin, colon});
  }
  return spans;
}

std::vector<Span> values_of(const std::string& text) {
  std::vector<Span> spans;
  for (std::size_t colon = text.find(": "); colon != text.npos; colon = text.find(": ", colon + 1)) {
    const std::size_t begin = colon + 2;
    if (begin >= text.size()) break;
    const std::size_t end = text[begin] == '[' ? text.find(']', begin) : text.find_first_of(",}\n#", begin);
    spans.push_back({begin, end == text.npos ? text.size() : end + (text[begin] == '[')});
  }
  return spans;
}

std::vector<Span> numbers_of(const std::string& text) {
  std::vector<Span> spans;
  for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    spans.push_back({at, end});
    at = end;
  }
  return spans;
}

}  // namespace

std::string TextMutator::mutate_table(std::string text) {
  static const std::string signs = ",;\"\n\r\t-.0123456789aeE#% \xef\xbb\xbf\xff" + std::string(1, '\0');
  const auto place = [&] { return below(static_cast<std::uint32_t>(text.size())); };
  for (unsigned change = 1 + below(4); change > 0; --change) {
    const std::size_t at = place();
    const char sign = signs[below(static_cast<std::uint32_t>(signs.size()))];
    switch (below(4)) {
      case 0:
        text[at] = sign;
        break;
      case 1:
        text.insert(at, 1, sign);
        break;
      case 2:
        text.insert(at, text.substr(place(), 1 + below(20)));
        break;
      default:
        text.erase(at, 1 + below(8));
        if (text.empty()) text = "0";
    }
  }
  return text;
}

std::string TextMutator::hostile_value() {
  if (below(20) == 0) return std::string(1 + below(5000), static_cast<char>('0' + below(75)));
  return kValues[below(static_cast<std::uint32_t>(std::size(kValues)))];
}

void TextMutator::change_byte(std::string& text) {
  if (!text.empty()) text[below(static_cast<std::uint32_t>(text.size()))] = static_cast<char>(below(256));
}

void TextMutator::remove_part(std::string& text) {
  text.erase(position(text), 1 + below(40));
}

void TextMutator::repeat_part(std::string& text) {
  const std::string part = text.substr(position(text), 1 + below(60));
  text.insert(position(text), part);
}

void TextMutator::swap_lines(std::string& text) {
  const auto line_at = [&](std::size_t at) -> Span {
    const std::size_t begin = text.rfind('\n', at);
    const std::size_t end = text.find('\n', at);
    return {begin == text.npos || begin == at ? 0 : begin + 1, end == text.npos ? text.size() : end + 1};
  };
  const Span moved = line_at(position(text));
  if (moved.end <= moved.begin) return;
  const std::string line = text.substr(moved.begin, moved.end - moved.begin);
  text.erase(moved.begin, moved.end - moved.begin);
  text.insert(std::min(line_at(position(text)).begin, text.size()), line);
}

void TextMutator::change_value(std::string& text) {
  const std::vector<Span> values = values_of(text);
  if (values.empty()) return;
  const Span value = values[below(static_cast<std::uint32_t>(values.size()))];
  std::string other = hostile_value();
  if (below(6) == 0) {
    const Span from = values[below(static_cast<std::uint32_t>(values.size()))];
    other = text.substr(from.begin, from.end - from.begin);
  }
  text.replace(value.begin, value.end - value.begin, other);
}

void TextMutator::change_key(std::string& text) {
  const std::vector<Span> keys = keys_of(text);
  if (keys.empty()) return;
  const Span key = keys[below(static_cast<std::uint32_t>(keys.size()))];
  const std::size_t at = key.begin + below(static_cast<std::uint32_t>(key.end - key.begin));
  switch (below(4)) {
    case 0:
      text[at] = static_cast<char>('a' + below(26));
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2: {
      const Span other = keys[below(static_cast<std::uint32_t>(keys.size()))];
      text.replace(key.begin, key.end - key.begin, text.substr(other.begin, other.end - other.begin));
      break;
    }
    default:
      text.replace(key.begin, key.end - key.begin, hostile_value());
  }
}

void TextMutator::change_number(std::string& text) {
  const std::vector<Span> numbers = numbers_of(text);
  if (numbers.empty()) return;
  const Span number = numbers[below(static_cast<std::uint32_t>(numbers.size()))];
  switch (below(5)) {
    case 0:
      text.insert(number.begin, "-");
      break;
    case 1:
      text.insert(number.end, std::string(1 + below(20), '0'));
      break;
    case 2:
      text.insert(number.end, ".5");
      break;
    case 3:
      text.insert(number.end, "e" + std::to_string(below(400)));
      break;
    default:
      text.replace(number.begin, number.end - number.begin, std::to_string(below(70000)));
  }
}

void TextMutator::insert_token(std::string& text) {
  text.insert(position(text), kTokens[below(static_cast<std::uint32_t>(std::size(kTokens)))]);
}

std::string TextMutator::mutate(std::string text) {
  for (unsigned mistakes = below(2) ? 1 : 1 + below(3); mistakes > 0; --mistakes) switch (below(16)) {
      case 0:
        change_byte(text);
        break;
      case 1:
        remove_part(text);
        break;
      case 2:
        repeat_part(text);
        break;
      case 3:
        swap_lines(text);
        break;
      case 4:
      case 5:
        insert_token(text);
        break;
      case 6:
      case 7:
      case 8:
        change_key(text);
        break;
      case 9:
      case 10:
      case 11:
        change_number(text);
        break;
      default:
        change_value(text);
    }
  return text;
}

std::string TextMutator::mutate_bytes(std::string text) {
  for (unsigned mistakes = 1 + below(4); mistakes > 0; --mistakes) switch (below(4)) {
      case 0:
        remove_part(text);
        break;
      case 1:
        repeat_part(text);
        break;
      case 2:
        text.resize(position(text));
        break;
      default:
        change_byte(text);
    }
  return text;
}

}  // namespace flitmend::test
