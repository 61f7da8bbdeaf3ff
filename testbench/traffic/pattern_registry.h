// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>

#include "base/registry.h"
#include "testbench/traffic/pattern.h"

namespace flitmend {

struct PatternEntry {
  std::string_view name;
  std::string_view description;
  std::string_view needs;  ///< requirement on the network; empty: none
  /// Throws ConfigurationError if the network does not fit.
  std::unique_ptr<DestinationPattern> (*make)(const PatternContext&);
};

const Registry<PatternEntry>& traffic_patterns();

/// The pattern that the settings name. Throws ConfigurationError, also if no node would send.
std::unique_ptr<DestinationPattern> make_pattern(const PatternContext&);

}  // namespace flitmend
