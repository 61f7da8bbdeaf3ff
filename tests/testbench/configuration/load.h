// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "testbench/configuration/loader.h"

namespace flitmend {

inline Configuration load(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_configuration(text, "c.yaml", sets);
}

/// The message with which the configuration is refused, "" if it is accepted.
inline std::string refusal(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    load(text, sets);
  } catch (const ConfigurationError& e) {
    return e.what();
  }
  return "";
}

}  // namespace flitmend
