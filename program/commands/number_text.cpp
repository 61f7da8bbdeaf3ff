// SPDX-License-Identifier: Apache-2.0
#include "program/commands/number_text.h"

#include <cmath>

#include "base/table.h"
#include "base/text.h"

namespace flitmend {
namespace {

using Json = nlohmann::ordered_json;
const char* const kNotKnown = "n/a";

}  // namespace

std::string fixed_text(double value, int decimals) {
  if (value == 0 || std::abs(value) >= 100 * std::pow(10.0, -decimals)) return with_decimals(value, decimals);
  return formatted("%.3g", value);
}

std::string fixed_text(const std::optional<double>& value, int decimals) {
  return value ? fixed_text(*value, decimals) : kNotKnown;
}

std::string percent_text(double share, int decimals) {
  return fixed_text(100 * share, decimals) + " %";
}

std::string interval_text(const std::optional<ShareInterval>& i, int decimals) {
  if (!i) return kNotKnown;
  return fixed_text(i->low, decimals) + " to " + fixed_text(i->high, decimals);
}

std::string percent_interval_text(const std::optional<ShareInterval>& i, int decimals) {
  if (!i) return kNotKnown;
  return fixed_text(100 * i->low, decimals) + " to " + fixed_text(100 * i->high, decimals) + " %";
}

nlohmann::ordered_json json_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

void add_interval(nlohmann::ordered_json& object, const std::string& name, const std::string& confidence,
                  double share, const std::optional<ShareInterval>& interval) {
  object[name + "_ci" + confidence] = interval ? Json(interval->reach(share)) : Json();
  object[name + "_interval" + confidence] = interval ? Json({interval->low, interval->high}) : Json();
}

}  // namespace flitmend
