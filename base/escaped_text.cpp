// SPDX-License-Identifier: Apache-2.0
#include "base/escaped_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace flitmend {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};
/// Control characters, spaces that look like nothing or like a space, marks of direction.
constexpr CodeRange kUnseen[] = {{0x00, 0x1f},     {0x7f, 0xa0},     {0xad, 0xad},     {0x200b, 0x200f},
                                 {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};

/// A character of UTF-8: its code and bytes; 0 bytes where there is none.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;
};

Character character_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  constexpr std::array<unsigned, 5> kOfFirst{0, 0, 0x1f, 0x0f, 0x07};
  std::uint32_t code = first & kOfFirst[bytes];
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  return {code, bytes};
}

std::string hexadecimal(char letter, std::uint32_t number, unsigned digits) {
  std::string text = {'\\', letter};
  while (digits-- > 0) text += "0123456789abcdef"[number >> (4 * digits) & 15];
  return text;
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character c = character_of(text);
    bool unseen = c.bytes == 0;
    for (const CodeRange& range : kUnseen)
      unseen |= range.first <= c.code && c.code <= range.last && c.bytes > 0;
    if (!unseen)
      shown += text.substr(0, c.bytes);
    else if (c.bytes == 0)
      shown += hexadecimal('x', static_cast<unsigned char>(text[0]), 2);
    else if (c.code == '\n')
      shown += "\\n";
    else if (c.code == '\t')
      shown += "\\t";
    else
      shown += c.code < 0x80 ? hexadecimal('x', c.code, 2) : hexadecimal('u', c.code, 4);
    text.remove_prefix(c.bytes > 0 ? c.bytes : 1);
  }
  return shown;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

}  // namespace flitmend
