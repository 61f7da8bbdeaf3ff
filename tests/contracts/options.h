// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/setting_values.h"

namespace flitmend {

/// The default settings, then those of an entry's examples.
template <class Settings>
std::vector<Settings> with_defaults(const std::vector<Settings>& examples) {
  std::vector<Settings> all = {{}};
  all.insert(all.end(), examples.begin(), examples.end());
  return all;
}

/// Every example gives something else than the defaults; every option is given by some example, but for names
/// of files.
template <class Settings>
void expect_examples_exercise(const std::vector<const OptionKey*>& options,
                              const std::vector<Settings>& examples, Settings defaults) {
  const std::vector<SettingValue> initial = values_of(defaults);
  std::set<std::string_view> given;
  for (const SettingValue& key : initial)
    if (key.name.ends_with("_file")) given.insert(key.name);
  for (Settings example : examples) {
    const std::vector<SettingValue> values = values_of(example);
    bool differs = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].check_range();
      if (values[i].equals(initial[i])) continue;
      differs = true;
      given.insert(values[i].name);
    }
    EXPECT_TRUE(differs) << "an example gives the defaults";
  }
  for (const OptionKey* option : options)
    EXPECT_TRUE(given.contains(option->name())) << option->name() << " is in no example";
}

}  // namespace flitmend
