// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/unused_keys.h"

#include <algorithm>

#include "protocols/recovery/registry.h"
#include "testbench/configuration/changed_keys.h"

namespace flitmend {

std::string unused_recovery_keys_note(const Configuration& c) {
  const std::vector<std::string_view>& read = recovery_protocols().at(c.recovery.protocol).keys;
  std::vector<std::string> unused;
  for (const DeclaredKey& key : changed_keys(c, c.recovery)) {
    const std::string name = key.path.substr(key.path.find('.') + 1);
    if (name != "protocol" && std::find(read.begin(), read.end(), name) == read.end())
      unused.push_back(key.path);
  }
  if (unused.empty()) return "";
  std::string names;
  for (const std::string& path : unused) names += (names.empty() ? "" : ", ") + path;
  return c.place_of(unused.front()).text() + ": " + names + (unused.size() == 1 ? " has" : " have") +
         " no effect with recovery.protocol " + c.recovery.protocol +
         "; docs/reference.md says which protocols read them";
}

}  // namespace flitmend
