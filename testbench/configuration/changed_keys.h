// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "testbench/configuration/configuration.h"
#include "testbench/configuration/declarations.h"

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

}  // namespace flitmend
