// SPDX-License-Identifier: Apache-2.0
#include "topologies/kns.h"

#include "base/errors.h"
#include "topologies/limits.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

std::vector<std::uint32_t> equal_radices(std::uint32_t k, std::uint32_t n) {
  if (k < 2)
    throw KeyError("network.k", std::to_string(k) + "; a KNS network needs at least 2 routers per switch");
  if (k > kMaxSwitchPorts)
    throw KeyError("network.k", std::to_string(k) + "; a KNS switch has at most " +
                                    std::to_string(kMaxSwitchPorts) + " ports");
  if (n < 1) throw KeyError("network.n", "0; a KNS network needs at least 1 dimension");
  std::uint64_t nodes = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    nodes *= k;
    if (nodes > kMaxNodes)
      throw KeyError("network.k",
                     "KNS(" + std::to_string(k) + ", " + std::to_string(n) + ") has more than " +
                         std::to_string(kMaxNodes) + " nodes, the largest supported network; make it smaller",
                     {"network.n"});
  }
  return std::vector<std::uint32_t>(n, k);
}

}  // namespace

Kns::Kns(std::uint32_t k, std::uint32_t n) : SwitchedGrid("kns", equal_radices(k, n)) {}

std::string Kns::description() const {
  return "KNS(" + std::to_string(k()) + ", " + std::to_string(n()) + ")";
}

TopologyEntry kns_topology() {
  return {
      .name = "kns",
      .description = "KNS(k, n): k^n routers; in each dimension, groups of k routers share a k-port switch",
      .size_keys = {"k", "n"},
      .default_size = {.k = 8, .n = 2},
      .examples = {{.k = 4, .n = 1}, {.k = 3, .n = 2}, {.k = 4, .n = 2}, {.k = 3, .n = 3}, {.k = 2, .n = 4}},
      .make = [](const NetworkSettings& s) -> std::unique_ptr<Topology> {
        return std::make_unique<Kns>(static_cast<std::uint32_t>(s.k), static_cast<std::uint32_t>(s.n));
      },
  };
}

}  // namespace flitmend
