// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "testbench/traffic/pattern.h"

namespace flitmend {

/// A traffic pattern that a configuration can name: defined in its own file, listed in
/// testbench/traffic/patterns.def.
struct PatternEntry {
  std::string_view name;
  std::string_view description;
  /// What it needs ("equal radices"); empty: nothing. With applies_to, a requirement on the network.
  std::string_view needs = "";
  bool (*applies_to)(const Topology&) = nullptr;  ///< null: any network
  std::vector<std::string_view> options = {};     ///< keys of `traffic` that it reads
  std::vector<TrafficSettings> examples = {};     ///< values of its options that the generic tests go through
  bool permutation = false;  ///< every node has one destination, and no two nodes the same
  /// The network is one that it applies to. Throws ConfigurationError if an option does not fit.
  std::unique_ptr<DestinationPattern> (*make)(const PatternContext&);

  bool has_option(std::string_view key) const;
};

const Registry<PatternEntry>& traffic_patterns();

/// The pattern that the settings name. Throws ConfigurationError, even if no node would send.
std::unique_ptr<DestinationPattern> make_pattern(const PatternContext&);
/// The same for a given pattern, registered or not; ignores settings.pattern.
std::unique_ptr<DestinationPattern> make_pattern(const PatternEntry&, const PatternContext&);

}  // namespace flitmend
