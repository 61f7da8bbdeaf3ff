// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analysis/confidence.h"

namespace flitmend {

/// A number with `decimals` digits after the decimal point, or with three significant digits if fixed form
/// would show too few: fixed_text(0.25, 6) is "0.250000", fixed_text(3.2e-8, 6) is "3.2e-08".
std::string fixed_text(double value, int decimals);
/// The same for a value that may be unknown: "n/a".
std::string fixed_text(const std::optional<double>& value, int decimals);
/// "12.3456 %"
std::string percent_text(double share, int decimals);

/// "0.8297 to 0.8330", "n/a"
std::string interval_text(const std::optional<ShareInterval>&, int decimals);
/// "82.97 to 83.30 %", "n/a"
std::string percent_interval_text(const std::optional<ShareInterval>&, int decimals);

/// null for an unknown value.
nlohmann::ordered_json json_or_null(const std::optional<double>& value);
/// Two entries, in the form common to all tools: NAME_ciNN (share ± this contains the interval) and
/// NAME_intervalNN (its bounds); both null if unknown. `confidence`: "95".
void add_interval(nlohmann::ordered_json& object, const std::string& name, const std::string& confidence,
                  double share, const std::optional<ShareInterval>&);

}  // namespace flitmend
