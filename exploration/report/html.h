// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace flitmend {

/// The text as content or quoted attribute of HTML: nothing in it is markup any more.
std::string html_escaped(std::string_view);

/// The value as JSON that can stand inside a <script>: it contains no '<', '>' or '&'. Bytes that are no
/// UTF-8 become the replacement character.
std::string script_json(const nlohmann::ordered_json&);

/// For people: whole numbers as they are, others with at most `digits` significant digits.
std::string number_text(double, int digits = 6);

}  // namespace flitmend
