// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"
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

}  // namespace flitmend
