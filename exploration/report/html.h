// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace flitmend {

/// The text escaped for use as content or quoted attribute of HTML.
std::string html_escaped(std::string_view);

/// The value as JSON that is safe inside a <script>: it contains no '<', '>' or '&'. Invalid UTF-8 becomes
/// the replacement character.
std::string script_json(const nlohmann::ordered_json&);

/// For display: whole numbers as they are, others with at most `digits` significant digits.
std::string rounded_text(double, int digits = 6);

}  // namespace flitmend
