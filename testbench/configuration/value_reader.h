// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// Each reads one value, or leaves it as it is and returns what is wrong and what would be right; "" where
/// all is well.
std::string read_value(const DocumentNode&, std::int64_t&, Range<std::int64_t>, std::string_view unit);
std::string read_value(const DocumentNode&, double&, Range<double>, std::string_view unit);
std::string read_value(const DocumentNode&, bool&);
std::string read_value(const DocumentNode&, std::string&);
/// `called`: how a message calls the thing that is chosen, "routing algorithm".
std::string read_value(const DocumentNode&, std::string&, const std::vector<Choice>&,
                       const std::string& called);
std::string read_value(const DocumentNode&, NodeName&);

}  // namespace flitmend
