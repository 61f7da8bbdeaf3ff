// SPDX-License-Identifier: Apache-2.0
#include "topologies/registry.h"

namespace flitmend {

#define FLITMEND_TOPOLOGY(x) TopologyEntry x##_topology();
#include "topologies/topologies.def"
#undef FLITMEND_TOPOLOGY

const Registry<TopologyEntry>& topologies() {
  static const Registry<TopologyEntry> registry("topology", [] {
    std::vector<TopologyEntry> all;
#define FLITMEND_TOPOLOGY(x) all.push_back(x##_topology());
#include "topologies/topologies.def"
#undef FLITMEND_TOPOLOGY
    return all;
  }());
  return registry;
}

std::unique_ptr<Topology> make_topology(const NetworkSettings& settings) {
  NetworkSettings complete = settings;
  complete.complete();
  return topologies().at(complete.topology).make(complete);
}

std::vector<std::unique_ptr<Topology>> make_examples(const TopologyEntry& entry) {
  std::vector<std::unique_ptr<Topology>> all;
  for (const NetworkSettings& size : entry.examples) all.push_back(entry.make(size));
  return all;
}

}  // namespace flitmend
