// SPDX-License-Identifier: Apache-2.0
#include "base/setting_values.h"

#include <sstream>

#include "base/errors.h"

namespace flitmend {

bool SettingValue::equals(const SettingValue& other) const {
  return std::visit([&](auto* mine) { return *mine == *std::get<decltype(mine)>(other.value); }, value);
}

void SettingValue::assign(const SettingValue& other) const {
  std::visit([&](auto* mine) { *mine = *std::get<decltype(mine)>(other.value); }, value);
}

void SettingValue::check_range() const {
  const auto check = [&](auto number) {
    if (static_cast<double>(number) >= range.min && static_cast<double>(number) <= range.max) return;
    std::ostringstream text;
    text.precision(15);
    text << number << " is outside " << range.min << " to " << range.max;
    throw KeyError(std::string(section) + "." + std::string(name), text.str());
  };
  if (const auto* const* whole = std::get_if<std::int64_t*>(&value)) check(**whole);
  if (const auto* const* count = std::get_if<unsigned*>(&value)) check(**count);
  if (const auto* const* real = std::get_if<double*>(&value)) check(**real);
  if (const auto* const* list = std::get_if<std::vector<std::int64_t>*>(&value))
    for (std::int64_t number : **list) check(number);
}

void detail::ValueCollector::visit_key(const Key& key, ValuePointer value, const AllowedValues& allowed) {
  SettingValue& added = values.emplace_back(
      SettingValue{sections_.empty() ? std::string_view() : sections_.back(), key.name, value});
  if (const auto* const whole = std::get_if<Range<std::int64_t>>(&allowed))
    added.range = {static_cast<double>(whole->min), static_cast<double>(whole->max)};
  if (const auto* const real = std::get_if<Range<double>>(&allowed)) added.range = *real;
}

}  // namespace flitmend
