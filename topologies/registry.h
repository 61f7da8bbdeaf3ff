// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "topologies/settings.h"
#include "topologies/topology.h"

namespace flitmend {

struct TopologyEntry {
  std::string_view name;
  std::string_view description;
  std::vector<std::string_view> size_keys;  ///< keys of `network` that give its size
  /// `settings` are complete. Throws ConfigurationError if the size is impossible.
  std::unique_ptr<Topology> (*make)(const NetworkSettings&);
};

const Registry<TopologyEntry>& topologies();

/// The graph that the settings describe, with default sizes filled in. Throws ConfigurationError.
std::unique_ptr<Topology> make_topology(const NetworkSettings&);

}  // namespace flitmend
