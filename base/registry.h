// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/options.h"
#include "base/settings.h"

namespace flitmend {

/// Named entries of one kind (routing algorithms, topologies, traffic patterns, …), in the order in which
/// they are documented. `flitmend list`, the configuration loader and the generated reference all read the
/// same registry. Entry: a struct with at least `std::string_view name` and `std::string_view description`.
template <class Entry>
class Registry {
 public:
  Registry(std::string_view concern, std::vector<Entry> entries)
      : concern_(concern), entries_(std::move(entries)) {}

  const std::vector<Entry>& entries() const { return entries_; }
  std::string_view concern() const { return concern_; }

  /// The names as the allowed words of a configuration key.
  std::vector<Choice> choices() const {
    std::vector<Choice> words;
    for (const Entry& e : entries_) words.push_back({e.name, e.description});
    return words;
  }

  const Entry* find(std::string_view name) const {
    for (const Entry& e : entries_)
      if (e.name == name) return &e;
    return nullptr;
  }
  /// The entry with that name. Throws ConfigurationError, which suggests the nearest name.
  const Entry& at(std::string_view name) const {
    if (const Entry* e = find(name)) return *e;
    std::vector<std::string_view> names;
    for (const Entry& e : entries_) names.push_back(e.name);
    throw ConfigurationError("unknown " + std::string(concern_) + " '" + std::string(name) + "'" +
                             did_you_mean(name, names));
  }

 private:
  std::string_view concern_;
  std::vector<Entry> entries_;
};

inline std::string_view name_of(std::string_view key) {
  return key;
}
inline std::string_view name_of(const OptionKey* option) {
  return option->name();
}

/// The options of a registry's entries, each once, in their order. `section`: of the configuration.
template <auto options, class Entry>
std::vector<const OptionKey*> options_of(const Registry<Entry>& registry, std::string_view section) {
  std::vector<const OptionKey*> all;
  for (const Entry& entry : registry.entries())
    for (const OptionKey* option : entry.*options) add_option(all, option, section);
  return all;
}

/// The effect of a key that only some entries of a registry read: those whose list `keys` names it.
/// `selector` is the key that chooses the entry, "traffic.pattern". Throws ContractError if no entry reads
/// it.
template <auto keys, class Entry>
KeyEffect read_by(const Registry<Entry>& registry, std::string_view selector, std::string_view key) {
  static const std::map<std::string, std::string, std::less<>> readers =
      [&] {  // it lives as long as views of it
        std::map<std::string, std::string, std::less<>> names;
        for (const Entry& entry : registry.entries())
          for (const auto& read : entry.*keys) {
            std::string& list = names[std::string(name_of(read))];
            list += (list.empty() ? "" : " ") + std::string(entry.name);
          }
        return names;
      }();
  const auto found = readers.find(key);
  if (found == readers.end())
    throw ContractError("no value of " + std::string(selector) + " reads the key " + std::string(key));
  return KeyEffect::only_with(selector, found->second);
}

}  // namespace flitmend
