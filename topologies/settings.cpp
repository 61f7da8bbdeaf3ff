// SPDX-License-Identifier: Apache-2.0
#include "topologies/settings.h"

#include "base/text.h"
#include "topologies/limits.h"
#include "topologies/registry.h"

namespace flitmend {

void NetworkSettings::visit(SettingsVisitor& v) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxNodes);
  v.begin_section("network", "Topology and size of the network.");
  v.key({"topology", "", "Topology of the network."}, topology, topologies().choices());
  v.key({"size", "nodes",
         "Mesh, torus: radix of each dimension, lowest first; empty: 8 x 8. A torus needs at least 2 in "
         "each."},
        size, {1, kMost});
  v.key({"dimensions", "", "Hypercube: number of dimensions; 0: 6."}, dimensions, {0, 20});
  v.key({"k", "routers", "KNS: routers per switch; 0: 8."}, k, {0, kMaxSwitchPorts});
  v.key({"n", "", "KNS: number of dimensions; 0: 2."}, n, {0, 20});
  v.key({"node_address_bytes", "bytes",
         "TLM address range of each node; an address belongs to node address / node_address_bytes."},
        node_address_bytes, {1, std::int64_t{1} << 40});
  v.end_section();
}

void NetworkSettings::complete() {
  const TopologyEntry& entry = topologies().at(topology);
  const auto refuse = [&](std::string_view key) {
    throw KeyError("network." + std::string(key), "does not belong to topology " + topology +
                                                      ", whose size is given by " + joined(entry.size_keys) +
                                                      "; remove it");
  };
  const auto takes = [&](std::string_view key) {
    for (std::string_view known : entry.size_keys)
      if (known == key) return true;
    return false;
  };
  if (!size.empty() && !takes("size")) refuse("size");
  if (dimensions != 0 && !takes("dimensions")) refuse("dimensions");
  if (k != 0 && !takes("k")) refuse("k");
  if (n != 0 && !takes("n")) refuse("n");
  if (size.empty() && takes("size")) size = {8, 8};
  if (dimensions == 0 && takes("dimensions")) dimensions = 6;
  if (k == 0 && takes("k")) k = 8;
  if (n == 0 && takes("n")) n = 2;
}

}  // namespace flitmend
