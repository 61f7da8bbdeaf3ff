// SPDX-License-Identifier: Apache-2.0
// Every routing algorithm that promises to go around faulty nodes, in a fabric: messages between all healthy
// nodes, with every set of one to three faulty nodes of small networks, and with random sets of more in
// larger ones. What the algorithm promises is delivered; for all other pairs fabric and checker agree.
#include <gtest/gtest.h>

#include <set>

#include "base/random_stream.h"
#include "support/faulty_network.h"

namespace flitmend {
namespace {

// The sanitizers take ten times as long; they see every code path with a part of the sets.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kStride = 11;
#else
constexpr std::size_t kStride = 1;
#endif
constexpr unsigned kRandomSets = 200;  // per algorithm and network
constexpr unsigned kFewestFaults = 3, kMostFaults = 5;

using NodeSet = std::vector<NodeId>;

std::vector<NetworkSettings> small_networks() {
  return {mesh_network({4, 4}), hypercube_network(4), grid_network("torus", {4, 4}), kns_network(4, 2)};
}
std::vector<NetworkSettings> larger_networks() {
  return {mesh_network({5, 5}), mesh_network({6, 6}), hypercube_network(5), grid_network("torus", {5, 5}),
          kns_network(5, 2)};
}

/// Whether the algorithm applies with these options and promises to tolerate faults.
bool promises(const RoutingEntry& entry, const Topology& network, const RoutingSettings& routing) {
  if (!entry.applies_to(network)) return false;
  try {
    entry.check_options(network, routing);
  } catch (const ConfigurationError&) {  // an option that has no meaning there
    return false;
  }
  return entry.properties(network, routing).tolerated_faults > 0;
}

/// The default options and those of the examples.
std::vector<RoutingSettings> all_settings(const RoutingEntry& entry) {
  std::vector<RoutingSettings> all = entry.examples;
  all.insert(all.begin(), RoutingSettings{});
  for (RoutingSettings& settings : all) settings.algorithm = entry.name;
  return all;
}

/// The numbers in the registry of all that promise something on one of these networks.
std::vector<std::size_t> tolerant_algorithms(const std::vector<NetworkSettings>& networks) {
  std::vector<std::size_t> numbers;
  const auto& entries = routing_algorithms().entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    bool any = false;
    for (const NetworkSettings& size : networks)
      for (const RoutingSettings& routing : all_settings(entries[i]))
        any |= promises(entries[i], *make_topology(size), routing);
    if (any) numbers.push_back(i);
  }
  return numbers;
}

std::string name_of_algorithm(const testing::TestParamInfo<std::size_t>& info) {
  std::string name(routing_algorithms().entries()[info.param].name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// The hops beyond the distance that the definition of an algorithm allows with this many faulty nodes; where
/// it gives no number, only the checker's longest path bounds them.
std::uint32_t detour_of(const RoutingSettings& routing, std::size_t faulty) {
  // Each misroute costs two hops: one away, and one back.
  if (routing.algorithm == "lee-hayes" || routing.algorithm == "chiu-wu") return 4;
  if (routing.algorithm == "fault-tolerant-planar-adaptive" && faulty <= 2) return 4;
  return PairRoutes::kUnbounded;
}

std::vector<std::unique_ptr<FaultyNetwork>> fabrics_of(const RoutingEntry& entry,
                                                       const std::vector<NetworkSettings>& networks) {
  std::vector<std::unique_ptr<FaultyNetwork>> fabrics;
  for (const NetworkSettings& size : networks)
    for (const RoutingSettings& routing : all_settings(entry))
      if (promises(entry, *make_topology(size), routing))
        fabrics.push_back(std::make_unique<FaultyNetwork>(size, routing, fabrics.size() % 2,
                                                          "faulty" + std::to_string(fabrics.size())));
  return fabrics;
}

void report(const FaultyNetwork& network) {
  const auto count = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%s: %llu sets, %llu messages, %llu promised, %llu by the choice of candidates, %llu with a detour, "
      "%llu connected but abandoned\n",
      network.text().c_str(), count(network.sets), count(network.sent), count(network.promised),
      count(network.undecided), count(network.detours), count(network.uncovered));
}

/// Every set of one, two and three nodes, the smaller ones first.
std::vector<NodeSet> sets_of_up_to_three(NodeId nodes) {
  std::vector<NodeSet> sets;
  for (NodeId a = 0; a < nodes; ++a) {
    sets.push_back({a});
    for (NodeId b = a + 1; b < nodes; ++b) {
      sets.push_back({a, b});
      for (NodeId c = b + 1; c < nodes; ++c) sets.push_back({a, b, c});
    }
  }
  std::stable_sort(sets.begin(), sets.end(),
                   [](const NodeSet& a, const NodeSet& b) { return a.size() < b.size(); });
  return sets;
}

class FaultSets : public testing::TestWithParam<std::size_t> {
 protected:
  const RoutingEntry& entry() const { return routing_algorithms().entries()[GetParam()]; }
};

using EveryFaultSet = FaultSets;
using RandomFaultSets = FaultSets;

TEST_P(EveryFaultSet, OfUpToThreeNodesIsToleratedAsPromised) {
  for (const auto& network : fabrics_of(entry(), small_networks())) {
    const std::vector<NodeSet> sets = sets_of_up_to_three(network->topology().node_count());
    for (std::size_t i = 0; i < sets.size(); i += kStride) {
      network->try_set(sets[i], detour_of({.algorithm = std::string(entry().name)}, sets[i].size()));
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(network->promised, 0u);
    EXPECT_GT(network->detours, 0u);
    report(*network);
  }
}

TEST_P(RandomFaultSets, OfMoreNodesAreToleratedAsTheCheckerSays) {
  RandomStream random(2026, RandomPurpose::test, static_cast<std::uint32_t>(GetParam()));
  const auto fabrics = fabrics_of(entry(), larger_networks());
  for (const auto& network : fabrics) {
    if (network->properties().learns_from_loops) continue;  // the checker does not know what routers learn
    for (std::size_t i = 0; i < kRandomSets; i += kStride) {
      std::set<NodeId> faulty;
      const auto count =
          static_cast<unsigned>(kFewestFaults + i * (kMostFaults - kFewestFaults + 1) / kRandomSets);
      while (faulty.size() < count) faulty.insert(random.below(network->topology().node_count()));
      network->try_set({faulty.begin(), faulty.end()},
                       detour_of({.algorithm = std::string(entry().name)}, count));
      if (HasFatalFailure()) return;
    }
  }
  for (const auto& network : fabrics) report(*network);
}

INSTANTIATE_TEST_SUITE_P(Algorithm, EveryFaultSet, testing::ValuesIn(tolerant_algorithms(small_networks())),
                         name_of_algorithm);
INSTANTIATE_TEST_SUITE_P(Algorithm, RandomFaultSets,
                         testing::ValuesIn(tolerant_algorithms(larger_networks())), name_of_algorithm);

}  // namespace
}  // namespace flitmend
