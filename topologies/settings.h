// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/settings.h"

namespace flitmend {

/// Section `network`. The topology determines which keys apply; the others have their initial values.
struct NetworkSettings {
  std::string topology = "mesh";
  std::vector<std::int64_t> size = {};
  std::int64_t dimensions = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
  OptionValues options = {};  ///< of single topologies, TopologyEntry::options
  std::string graph = {};
  std::int64_t node_address_bytes = 4096;

  void visit(SettingsVisitor&);
  /// Fills in the default size of the topology if none is given, so that the effective configuration shows
  /// it. Throws ConfigurationError if a size key does not belong to this topology, or a value is outside its
  /// range.
  void complete();
  /// `size` as the radices of a graph; the settings are complete.
  std::vector<std::uint32_t> radices() const { return {size.begin(), size.end()}; }
};

}  // namespace flitmend
