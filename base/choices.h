// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/settings.h"

namespace flitmend {

/// Index of `name` in a closed list of words. Throws ConfigurationError, which suggests the nearest word.
inline std::size_t choice_index(std::string_view concern, std::span<const Choice> choices,
                                std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].name == name) return i;
    names.push_back(choices[i].name);
  }
  throw ConfigurationError("unknown " + std::string(concern) + " '" + std::string(name) + "'" +
                           did_you_mean(name, names));
}

}  // namespace flitmend
