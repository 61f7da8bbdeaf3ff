// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/harmful_options.h"

#include "base/setting_values.h"

namespace flitmend {

std::string harmful_options(const RoutingSettings& configured, const Topology& topology, bool defaults,
                            bool (*harmful)(const RoutingProperties&)) {
  RoutingSettings given = configured, initial;
  const std::vector<SettingValue> keys = values_of(given), initial_keys = values_of(initial);
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == "algorithm" || keys[i].equals(initial_keys[i])) continue;
    RoutingSettings other = configured;
    values_of(other)[i].assign(initial_keys[i]);
    if (harmful(routing_properties(topology, other))) continue;
    text += (text.empty() ? "routing." : ", routing.") + std::string(keys[i].name) + " " +
            *std::get<std::string*>((defaults ? initial_keys : keys)[i].value);
  }
  return text;
}

}  // namespace flitmend
