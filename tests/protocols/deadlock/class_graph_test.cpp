// SPDX-License-Identifier: Apache-2.0
// A proof from classes of destinations is that from all destinations.
#include "protocols/deadlock/class_graph.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "protocols/deadlock/checker.h"
#include "protocols/networks.h"

namespace flitmend {
namespace {

/// Looks where the destination lies, but is declared as if it did not look at the second dimension.
class Undeclared final : public RoutingFunction, public DestinationClasses {
 public:
  explicit Undeclared(const Topology& topology) : RoutingFunction(topology) {}
  void route(const RouteRequest& request, CandidateList& out) const override {
    for (unsigned i = 0; i < 2; ++i) {
      const std::uint32_t from = topology_.coordinate(request.here, i),
                          to = topology_.coordinate(request.destination, i);
      if (from == to) continue;
      out.push({.port = static_cast<PortId>(2 * i + (from > to))});
      return;
    }
    out.push({.port = local_port(request.here)});
  }
  unsigned max_candidates() const override { return 1; }
  bool looks_at_arrival() const override { return false; }
  VcMask class_vcs(RouterId, PortId, unsigned) const override { return 1; }
  unsigned classes() const override { return 1; }
  void add_representatives(RouterId here, std::vector<NodeId>& nodes) const override {
    const std::uint32_t k = topology_.radix(0), x = topology_.coordinate(here, 0);
    nodes.push_back(here);
    if (x > 0) nodes.push_back(here - 1);
    if (x + 1 < k) nodes.push_back(here + 1);
  }
  std::uint64_t destination_class(RouterId here, NodeId destination) const override {
    const std::uint32_t from = topology_.coordinate(here, 0), to = topology_.coordinate(destination, 0);
    return from == to ? 0 : from < to ? 1 : 2;
  }
};

NetworkSettings grid(const std::string& topology, std::vector<std::int64_t> size) {
  NetworkSettings s;
  s.topology = topology;
  s.size = std::move(size);
  return s;
}

/// Compares what is printed and the ranks. Returns whether the classes were enough.
bool expect_same_proof(const NetworkSettings& network, const RoutingSettings& settings, unsigned vcs) {
  const auto topology = make_topology(network);
  const auto routing = make_routing(*topology, vcs, settings);
  const DestinationClasses* const classes = few_classes(*routing);
  if (!classes) return false;
  const ChannelMap channels(*routing);
  const DeadlockAnalysis by_classes = analyse_deadlock(*routing, channels);
  const DeadlockAnalysis by_all =
      analyse_deadlock(*routing, channels, {.without_classes = true, .without_mirrors = true});
  EXPECT_EQ(describe(by_classes, *routing, channels), describe(by_all, *routing, channels))
      << settings.algorithm << " on " << topology->description();
  EXPECT_EQ(by_classes.ranks, by_all.ranks) << settings.algorithm << " on " << topology->description();
  return by_all.verdict == DeadlockVerdict::free;
}

TEST(ClassGraph, ProvesTheSameOnRandomNetworks) {
  RandomStream random(3, RandomPurpose::test);
  unsigned networks = 0;
  for (unsigned tries = 0; networks < 200 && tries < 5000; ++tries) {
    NetworkSettings network;
    if (random.below(5) == 0) {
      network.topology = "kns";
      network.k = 2 + random.below(6);
      network.n = 1 + random.below(network.k < 5 ? 3 : 2);
      if (random.below(2) && network.k == 4) {
        network.options.set("subnetwork", random.below(2) ? "ruft" : "fat-tree");
        network.options.set("arity", 2);
      }
    } else {
      const unsigned dimensions = 1 + random.below(3), most = dimensions == 1 ? 40 : dimensions == 2 ? 11 : 4;
      std::vector<std::int64_t> size;
      for (unsigned i = 0; i < dimensions; ++i) size.push_back(2 + random.below(most));
      network = grid(random.below(2) ? "mesh" : "torus", size);
    }
    const auto topology = make_topology(network);
    const auto& all = routing_algorithms().entries();
    const RoutingEntry& entry = all[random.below(static_cast<std::uint32_t>(all.size()))];
    if (!entry.applies_to(*topology)) continue;
    RoutingSettings settings = algorithm(std::string(entry.name));
    const unsigned enough = entry.properties(*topology, settings).virtual_channels;
    if (!few_classes(*make_routing(*topology, enough, settings))) continue;
    if (const auto examples = static_cast<std::uint32_t>(entry.examples.size());
        examples > 0 && random.below(2))
      settings = entry.examples[random.below(examples)];
    settings.algorithm = entry.name;
    try {
      make_routing(*topology, 64, settings);
    } catch (const ConfigurationError&) {
      continue;  // an option that does not apply to this network
    }
    const unsigned least = entry.properties(*topology, settings).virtual_channels;
    networks += expect_same_proof(network, settings, least + random.below(3));
  }
  EXPECT_EQ(networks, 200u);
}

TEST(ClassGraph, GrowsWithTheNetworkNotWithItsSquare) {
  for (const char* name : {"dimension-order", "west-first", "duato"}) {
    std::vector<std::size_t> states;
    for (const std::int64_t k : {16, 32}) {
      const auto topology = make_topology(grid("mesh", {k, k}));
      const auto routing = make_routing(*topology, 4, algorithm(name));
      const ChannelMap channels(*routing);
      states.push_back(ClassGraph(*routing, *few_classes(*routing), channels).graph().states.size());
    }
    EXPECT_LT(states[1], 5 * states[0]) << name;
  }
}

TEST(ClassGraph, RefusesClassesThatAreNotThoseOfTheFunction) {
  const auto topology = make_topology(grid("mesh", {6, 6}));
  const Undeclared routing(*topology);
  const ChannelMap channels(routing);
  EXPECT_THROW(ClassGraph(routing, routing, channels), ContractError);
  EXPECT_EQ(analyse_deadlock(routing, channels, {.without_classes = true}).verdict, DeadlockVerdict::free);
}

}  // namespace
}  // namespace flitmend
