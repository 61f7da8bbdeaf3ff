// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "topologies/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// A topology that a configuration can name: defined in its own file, listed in topologies/topologies.def.
struct TopologyEntry {
  std::string_view name;
  std::string_view description;
  std::vector<std::string_view> size_keys;     ///< keys of `network` that it reads
  std::vector<const OptionKey*> options = {};  ///< those of them that are its own
  bool size_required = false;                  ///< a configuration must give them
  NetworkSettings default_size;                ///< those keys, where the configuration does not give them
  std::vector<NetworkSettings> examples;  ///< small sizes, even, odd and mixed, that the generic tests build
  /// The settings are complete and within their ranges; throws ConfigurationError where the size is
  /// impossible.
  std::unique_ptr<Topology> (*make)(const NetworkSettings&);
};

const Registry<TopologyEntry>& topologies();

/// The graph that the settings describe, with default sizes filled in. Throws ConfigurationError.
std::unique_ptr<Topology> make_topology(const NetworkSettings&);

/// The entry's examples, each made.
std::vector<std::unique_ptr<Topology>> make_examples(const TopologyEntry&);

}  // namespace flitmend
