// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/settings.h"

namespace flitmend {

/// Values as YAML that reads back as the same value: numbers in the shortest form, texts in quotes if they
/// need them, nodes as "3" or "[3, 4]", lists in brackets.
std::string value_text(const ValuePointer&);
std::string value_text(const std::string&);

/// What a value may be, in words: "1 to 64", "true, false", "list of nodes"; empty if it is one of some
/// words.
std::string allowed_text(const ValuePointer&, const AllowedValues&);

/// "1 to 64", "at least 1", "any", followed by the unit if there is one: "1 to 64 flits".
std::string range_text(Range<std::int64_t>, std::string_view unit);
std::string range_text(Range<double>, std::string_view unit);

}  // namespace flitmend
