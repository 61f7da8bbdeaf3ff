// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/settings.h"

namespace flitmend {

/// One key of a settings struct: where its value is.
struct SettingValue {
  using Pointer =
      std::variant<std::int64_t*, double*, bool*, std::string*, std::vector<std::int64_t>*,
                   std::vector<std::string>*, std::vector<NodeName>*, Duration*, std::vector<LinkName>*,
                   std::vector<FaultEvent>*, std::vector<AddressMapEntry>*>;
  std::string_view section;
  std::string_view name;
  Pointer value;
  Range<double> range = {0, 0};  ///< of whole numbers and lists of them too; of others 0 to 0

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
  void key(const Key& k, std::int64_t& v, Range<std::int64_t> r) override { add(k, &v, r); }
  void key(const Key& k, double& v, Range<double> r) override { add(k, &v, r); }
  void key(const Key& k, bool& v) override { add(k, &v); }
  void key(const Key& k, std::string& v) override { add(k, &v); }
  void key(const Key& k, std::string& v, const std::vector<Choice>&) override { add(k, &v); }
  void key(const Key& k, std::vector<std::int64_t>& v, Range<std::int64_t> r) override { add(k, &v, r); }
  void key(const Key& k, std::vector<std::string>& v) override { add(k, &v); }
  void key(const Key& k, std::vector<NodeName>& v) override { add(k, &v); }
  void key(const Key& k, Duration& v) override { add(k, &v); }
  void key(const Key& k, std::vector<LinkName>& v) override { add(k, &v); }
  void key(const Key& k, std::vector<FaultEvent>& v) override { add(k, &v); }
  void key(const Key& k, std::vector<AddressMapEntry>& v) override { add(k, &v); }

  std::vector<SettingValue> values;

 private:
  template <class Value, class Number = double>
  void add(const Key& k, Value* value, Range<Number> range = {0, 0}) {
    values.push_back({sections_.empty() ? std::string_view() : sections_.back(),
                      k.name,
                      value,
                      {static_cast<double>(range.min), static_cast<double>(range.max)}});
  }
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
