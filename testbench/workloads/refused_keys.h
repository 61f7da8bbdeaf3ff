// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"
#include "testbench/traffic/classes.h"

namespace flitmend {

/// The keys of a section of the configuration that the user set to another value than the default.
template <class Settings>
std::vector<DeclaredKey> changed_keys(const Configuration& c, const Settings& settings) {
  const std::vector<DeclaredSection> defaults = declarations(Settings{});
  std::vector<DeclaredKey> changed;
  for (const DeclaredSection& section : declarations(settings))
    for (const DeclaredKey& key : section.keys)
      if (c.explicit_key(key.path) && key.value != find_key(defaults, key.path).value) changed.push_back(key);
  return changed;
}

/// Keys that may be given: with any value, or only with that which is what happens.
using GivenKeys = std::map<std::string, std::optional<std::string>>;

/// Whether it is a key about classes of messages, which are judged for all workloads (check_classes).
inline bool is_class_key(const std::string& path) {
  for (const OptionKey* option : kClassOptions)
    if (path == "traffic." + std::string(option->name())) return true;
  return false;
}

/// Refuses keys that the user set to another value than the default, except those that may be given.
template <class Settings>
void refuse_keys(const Configuration& c, const Settings& settings, const GivenKeys& may_be_given,
                 const std::string& why) {
  for (const DeclaredKey& key : changed_keys(c, settings)) {
    if (is_class_key(key.path)) continue;
    const auto given = may_be_given.find(key.path);
    if (given == may_be_given.end() || given->second.value_or(key.value) != key.value)
      throw KeyError(key.path, key.value + " has no effect " + why + "; remove it");
  }
}

/// Refuses the keys of section simulation that have no effect with a workload that is measured to its end.
inline void refuse_phases(const Configuration& c, const std::string& why) {
  refuse_keys(c, c.simulation,
              {{"simulation.seed", {}},
               {"simulation.hierarchy", {}},
               {"simulation.threads", {}},
               {"simulation.max_cycles", {}},
               {"simulation.progress_limit", {}},
               {"simulation.time_limit_seconds", {}},
               {"simulation.warmup", "0"}},
              why);
}

}  // namespace flitmend
