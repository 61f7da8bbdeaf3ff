// SPDX-License-Identifier: Apache-2.0
#include "testbench/configuration/harmful_options.h"

#include <variant>

#include "base/setting_values.h"
#include "testbench/configuration/writer.h"

namespace flitmend {

std::string harmful_options(const RoutingSettings& configured, const Topology& topology, bool defaults,
                            bool (*harmful)(const RoutingProperties&)) {
  // A default that contradicts the other options does not help.
  const auto is_harmful = [&](const RoutingSettings& settings) {
    try {
      return harmful(routing_properties(topology, settings));
    } catch (const ConfigurationError&) {
      return true;
    }
  };
  const auto text_of = [](const SettingValue& option) {
    const auto* const* const word = std::get_if<std::string*>(&option.value);
    return word ? **word : value_text(option.value);
  };
  RoutingSettings given = configured, initial;
  const std::vector<SettingValue> keys = values_of(given), initial_keys = values_of(initial);
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == "algorithm" || keys[i].equals(initial_keys[i])) continue;
    RoutingSettings other = configured;
    values_of(other)[i].assign(initial_keys[i]);
    if (is_harmful(other)) continue;
    text += (text.empty() ? "routing." : ", routing.") + std::string(keys[i].name) + " " +
            text_of((defaults ? initial_keys : keys)[i]);
  }
  return text;
}

}  // namespace flitmend
