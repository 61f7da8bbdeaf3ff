// SPDX-License-Identifier: Apache-2.0
#include "topologies/settings.h"

#include <algorithm>

#include "base/registry.h"
#include "base/setting_values.h"
#include "base/text.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace flitmend {

void NetworkSettings::visit(SettingsVisitor& v) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxNodes);
  v.begin_section("network", "Topology and size of the network.");
  v.key({"topology", "", "Topology of the network.", kAlways}, topology, topologies().choices());
  v.key({"size", "nodes", "Radix of each dimension, lowest first; empty: the topology's default.", kAlways},
        size, {1, kMost});
  v.key({"dimensions", "", "Number of dimensions; 0: the topology's default.", kAlways}, dimensions, {0, 20});
  v.key({"k", "routers",
         "Routers in a line of a dimension, which share a subnetwork; 0: the topology's default.", kAlways},
        k, {0, kMaxSwitchPorts});
  v.key({"n", "", "Number of dimensions; 0: the topology's default.", kAlways}, n, {0, 20});
  for (const OptionKey* option : options_of<&TopologyEntry::options>(topologies(), "network"))
    options.visit(*option, v);
  v.key({"graph", "",
         "GraphML file that describes the network (docs/networks.md); or "
         "the GraphML itself.",
         kAlways},
        graph);
  v.key({"node_address_bytes", "bytes",
         "TLM address range of each node; an address belongs to node address / node_address_bytes.",
         KeyEffect::of_platforms()},
        node_address_bytes, {1, std::int64_t{1} << 40});
  v.end_section();
}

void NetworkSettings::complete() {
  const TopologyEntry& entry = topologies().at(topology);
  const auto gives_size = [](const TopologyEntry& e, std::string_view key) {
    return std::find(e.size_keys.begin(), e.size_keys.end(), key) != e.size_keys.end();
  };
  const auto gives_any_size = [&](std::string_view key) {
    return std::any_of(topologies().entries().begin(), topologies().entries().end(),
                       [&](const TopologyEntry& e) { return gives_size(e, key); });
  };
  NetworkSettings not_given, usual = entry.default_size;
  const std::vector<SettingValue> keys = values_of(*this), initial = values_of(not_given),
                                  sizes = values_of(usual);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool given = !keys[i].equals(initial[i]);
    const bool takes = gives_size(entry, keys[i].name);
    if (given && !takes && gives_any_size(keys[i].name)) {
      throw KeyError("network." + std::string(keys[i].name), "does not belong to topology " + topology +
                                                                 ", whose size is given by " +
                                                                 joined(entry.size_keys) + "; remove it");
    }
    if (!given && takes && entry.size_required)
      throw KeyError("network." + std::string(keys[i].name),
                     "topology " + topology + " needs it; give the name of a GraphML file");
    if (!given && takes) keys[i].assign(sizes[i]);
    keys[i].check_range();
  }
}

}  // namespace flitmend
