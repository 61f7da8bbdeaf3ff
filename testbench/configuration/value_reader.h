// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "testbench/configuration/document.h"

namespace flitmend {

/// Each function reads one value. On error it leaves the variable unchanged and returns what is wrong and
/// what would be right; otherwise it returns "".
std::string read_value(const DocumentNode&, std::int64_t&, Range<std::int64_t>, std::string_view unit);
std::string read_value(const DocumentNode&, double&, Range<double>, std::string_view unit);
std::string read_value(const DocumentNode&, bool&);
std::string read_value(const DocumentNode&, std::string&);
/// `called`: what error messages call the choice, "routing algorithm".
std::string read_value(const DocumentNode&, std::string&, const std::vector<Choice>&,
                       const std::string& called);
std::string read_value(const DocumentNode&, NodeName&);
std::string read_value(const DocumentNode&, LinkName&);
std::string read_value(const DocumentNode&, Duration&);
std::string read_value(const DocumentNode&, FaultEvent&);
std::string read_value(const DocumentNode&, AddressMapEntry&);

}  // namespace flitmend
