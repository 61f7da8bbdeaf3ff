// SPDX-License-Identifier: Apache-2.0
#include "topologies/registry.h"

#include <string>

#include "topologies/hypercube.h"
#include "topologies/kns.h"
#include "topologies/limits.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

std::uint32_t checked(std::string_view key, std::int64_t value) {
  if (value < 0 || value > static_cast<std::int64_t>(kMaxNodes))
    throw KeyError("network." + std::string(key),
                   std::to_string(value) + " is outside 0 to " + std::to_string(kMaxNodes));
  return static_cast<std::uint32_t>(value);
}

std::vector<std::uint32_t> radices(const NetworkSettings& s) {
  std::vector<std::uint32_t> radix;
  for (std::int64_t k : s.size) radix.push_back(checked("size", k));
  return radix;
}

std::unique_ptr<Topology> make_mesh(const NetworkSettings& s) {
  return std::make_unique<Mesh>(radices(s));
}
std::unique_ptr<Topology> make_torus(const NetworkSettings& s) {
  return std::make_unique<Torus>(radices(s));
}
std::unique_ptr<Topology> make_hypercube(const NetworkSettings& s) {
  return std::make_unique<Hypercube>(checked("dimensions", s.dimensions));
}
std::unique_ptr<Topology> make_kns(const NetworkSettings& s) {
  return std::make_unique<Kns>(checked("k", s.k), checked("n", s.n));
}

}  // namespace

const Registry<TopologyEntry>& topologies() {
  static const Registry<TopologyEntry> registry(
      "topology",
      {{"mesh", "n-dimensional mesh with a radix per dimension", {"size"}, make_mesh},
       {"torus", "n-dimensional torus (a k-ary n-cube if all radices are equal)", {"size"}, make_torus},
       {"hypercube", "n-dimensional hypercube, 2^n nodes", {"dimensions"}, make_hypercube},
       {"kns",
        "KNS(k, n): k^n routers; in each dimension, groups of k routers share a k-port switch",
        {"k", "n"},
        make_kns}});
  return registry;
}

std::unique_ptr<Topology> make_topology(const NetworkSettings& settings) {
  NetworkSettings complete = settings;
  complete.complete();
  return topologies().at(complete.topology).make(complete);
}

}  // namespace flitmend
