// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/stored_stats.h"

#include <boost/format.hpp>
#include <cmath>

namespace flitmend {

const nlohmann::ordered_json* StoredStats::find(std::string_view name) const {
  const nlohmann::ordered_json* at = &json_;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!at->is_object()) return nullptr;
    const auto next = at->find(std::string(name.substr(0, dot)));
    if (next == at->end()) return nullptr;
    at = &*next;
    if (dot == name.npos) return at;
    name.remove_prefix(dot + 1);
  }
}

std::optional<double> StoredStats::number(std::string_view name) const {
  const nlohmann::ordered_json* value = find(name);
  if (!value || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string StoredStats::text(std::string_view name, int digits) const {
  const nlohmann::ordered_json* value = find(name);
  return value ? value_text(*value, digits) : "–";
}

std::string rounded_text(double number, int digits) {
  if (std::floor(number) == number && std::abs(number) < 1e15) return (boost::format("%.0f") % number).str();
  return (boost::format("%." + std::to_string(digits) + "g") % number).str();
}

std::string value_text(const nlohmann::ordered_json& value, int digits) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return rounded_text(value.get<double>(), digits);
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace flitmend
