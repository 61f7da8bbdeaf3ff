// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace flitmend {

/// The text with everything written as an escape that a terminal would obey or that nobody can see: control
/// characters ("\x1b", "\n"), characters without a width and those that change the direction of writing
/// ("\u200b"), bytes that are not UTF-8 ("\xff").
std::string escaped_text(std::string_view text);
/// Whether nothing in the text needs that.
inline bool is_visible(std::string_view text) {
  return escaped_text(text) == text;
}

/// Columns that a text takes on a terminal: characters of UTF-8, not bytes.
std::size_t display_width(std::string_view text);

/// The text escaped for use as content or quoted attribute of HTML.
std::string html_escaped(std::string_view);

}  // namespace flitmend
