// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// One key of a settings struct.
struct SettingValue {
  std::string_view section;
  std::string_view name;
  ValuePointer value;
  Range<double> range = {0, 0};  ///< for numbers and lists of numbers; else 0 to 0

  /// Both are the same key.
  bool equals(const SettingValue& other) const;
  void assign(const SettingValue& other) const;
  /// Throws KeyError if a number is outside its range.
  void check_range() const;
};

namespace detail {

class ValueCollector final : public SettingsVisitor {
 public:
  void begin_section(std::string_view name, std::string_view) override { sections_.push_back(name); }
  void end_section() override { sections_.pop_back(); }

  std::vector<SettingValue> values;

 private:
  void visit_key(const Key&, ValuePointer, const AllowedValues&) override;

  std::vector<std::string_view> sections_;
};

}  // namespace detail

/// Every key of a settings struct, in the order of its declarations. Two structs of one type give the same
/// keys in the same order.
template <class Settings>
std::vector<SettingValue> values_of(Settings& settings) {
  detail::ValueCollector collector;
  settings.visit(collector);
  return std::move(collector.values);
}

}  // namespace flitmend
