// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/options.h"

namespace flitmend {

OptionValue OptionKey::initial() const {
  if (const auto* const word = std::get_if<Word>(&values)) return std::string(word->initial);
  if (std::holds_alternative<Text>(values)) return std::string();
  return std::get<Number>(values).initial;
}

std::string OptionValues::word(const OptionKey& option) const {
  return std::get<std::string>(value(option));
}

std::int64_t OptionValues::number(const OptionKey& option) const {
  return std::get<std::int64_t>(value(option));
}

OptionValue OptionValues::value(const OptionKey& option) const {
  const auto found = given_.find(option.name());
  return found == given_.end() ? option.initial() : found->second;
}

void OptionValues::visit(const OptionKey& option, SettingsVisitor& v) {
  OptionValue& value = given_.try_emplace(std::string(option.name()), option.initial()).first->second;
  if (const auto* const word = std::get_if<OptionKey::Word>(&option.values))
    v.key(option.key, std::get<std::string>(value), {word->choices.begin(), word->choices.end()});
  else if (std::holds_alternative<OptionKey::Text>(option.values))
    v.key(option.key, std::get<std::string>(value));
  else
    v.key(option.key, std::get<std::int64_t>(value), std::get<OptionKey::Number>(option.values).range);
}

}  // namespace flitmend
