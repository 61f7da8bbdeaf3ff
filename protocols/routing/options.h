// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/settings.h"

namespace flitmend {

using OptionValue = std::variant<std::int64_t, std::string>;

/// A key of section `routing` that only some algorithms read: one word of a list, a whole number, or text. It
/// is declared as a constant in the file of its algorithm, which names it in `RoutingEntry::options`.
/// Algorithms that share a key name the same constant.
struct OptionKey {
  struct Word {
    std::string_view initial;
    std::span<const Choice> choices;
  };
  struct Number {
    std::int64_t initial;
    Range<std::int64_t> range;
  };

  struct Text {};  ///< any; at first empty

  Key key;
  std::variant<Word, Number, Text> values;

  std::string_view name() const { return key.name; }
  OptionValue initial() const;
};

/// The options of the routing algorithm, by key. One that is not given has its default.
class OptionValues {
 public:
  using Given = std::map<std::string, OptionValue, std::less<>>;

  OptionValues() = default;
  OptionValues(std::initializer_list<Given::value_type> given) : given_(given) {}

  void set(const std::string& key, OptionValue value) { given_.insert_or_assign(key, std::move(value)); }
  const Given& given() const { return given_; }

  /// The value of an option that is a word or text, or a number. Throws std::bad_variant_access if it is the
  /// other.
  std::string word(const OptionKey&) const;
  std::int64_t number(const OptionKey&) const;

  void visit(const OptionKey&, SettingsVisitor&);

 private:
  OptionValue value(const OptionKey&) const;

  Given given_;
};

}  // namespace flitmend
