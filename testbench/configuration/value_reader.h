// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// Each function reads one value. On error it leaves the variable unchanged and returns what is wrong and
/// what would be right; otherwise it returns "".
std::string read_value(const DocumentNode&, std::int64_t&, Range<std::int64_t>, std::string_view unit);
std::string read_value(const DocumentNode&, double&, Range<double>, std::string_view unit);
std::string read_value(const DocumentNode&, bool&);
std::string read_value(const DocumentNode&, std::string&);
/// An address, or a number of bytes of that size: decimal or 0x…
std::string read_address(const DocumentNode&, std::uint64_t&);
/// One of some words. `called`: what error messages call the choice, "routing algorithm".
std::string read_choice(const DocumentNode&, std::string&, std::span<const Choice>,
                        const std::string& called);

/// Result of reading a text as a number: not a number, a value, or a number that is too large.
enum class NumberForm { not_a_number, value, too_large };
/// Decimal or 0x…; also 1e6 if that is a whole number.
NumberForm parse_whole(std::string_view, std::int64_t&);

/// What an error says about a value of another form: "expected a text, found a list".
std::string wanted(const DocumentNode&, const std::string& what);

}  // namespace flitmend
