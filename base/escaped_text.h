// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace flitmend {

/// The text with everything written as an escape that a terminal would obey or that nobody can see: control
/// characters ("\x1b", "\n"), characters without a width and those that change the direction of writing
/// ("\u200b"), bytes that are not UTF-8 ("\xff").
std::string escaped_text(std::string_view text);

}  // namespace flitmend
