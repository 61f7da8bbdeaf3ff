// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/registry.h"
#include "testbench/traffic/length.h"
#include "testbench/traffic/settings.h"

namespace flitmend {

struct LengthEntry {
  std::string_view name;
  std::string_view description;
  /// Throws ConfigurationError if the settings contradict each other.
  std::unique_ptr<LengthDistribution> (*make)(const TrafficSettings&);
};

const Registry<LengthEntry>& length_distributions();

}  // namespace flitmend
