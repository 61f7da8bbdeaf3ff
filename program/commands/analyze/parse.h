// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// "7x8x11" → 7, 8, 11; `separator` 'x' or ','. `what` names the option in the message. Whole numbers below
/// 2^32 only; throws ConfigurationError.
std::vector<std::uint32_t> parse_numbers(std::string_view text, char separator, std::string_view what);

}  // namespace flitmend
