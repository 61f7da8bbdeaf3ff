// SPDX-License-Identifier: Apache-2.0
#include "base/escaped_text.h"

#include <algorithm>
#include <cstdint>

#include "base/utf8.h"

namespace flitmend {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};
/// Control characters, spaces that look like nothing or like a space, marks of direction.
constexpr CodeRange kUnseen[] = {{0x00, 0x1f},     {0x7f, 0xa0},     {0xad, 0xad},     {0x200b, 0x200f},
                                 {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};

std::string hexadecimal(char letter, std::uint32_t number, unsigned digits) {
  std::string text = {'\\', letter};
  while (digits-- > 0) text += "0123456789abcdef"[number >> (4 * digits) & 15];
  return text;
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Utf8Character c = utf8_character(text);
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
