#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flitmend {

/// "7x8x11" → 7, 8, 11; `separator` 'x' or ','. `what` names the option in the message. Whole numbers below
/// 2^32 only; throws ConfigurationError.
std::vector<std::uint32_t> parse_numbers(std::string_view text, char separator, std::string_view what);

/// Check of an option that is a count or a seed: digits alone, below 2^64. Without it "-1" would be read as
/// 2^64 − 1, and a longer number as the largest. Returns what is wrong, as CLI11 wants its checks; empty:
/// fine.
std::string whole_number(const std::string& text);
/// The same for a number that may be negative: refuses what 64 bits do not hold.
std::string integer(const std::string& text);

}  // namespace flitmend
