// SPDX-License-Identifier: Apache-2.0
// The observer that judges by the definitions of routing algorithms where messages go: it sees every hop, has
// nothing against the algorithm that a rule is for, and finds out one that is planted in its place.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/fabric_bench.h"
#include "support/routing_rules.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

struct PlantedCase {
  NetworkSettings network;
  RoutingSettings rule;
  RoutingSettings planted;
  std::int64_t vcs;
  std::vector<std::string> found;
};

RoutingSettings routing(const char* algorithm, OptionValues options = {}) {
  RoutingSettings settings;
  settings.algorithm = algorithm;
  settings.options = std::move(options);
  return settings;
}

std::vector<PlantedCase> planted_cases() {
  const NetworkSettings mesh = mesh_network({5, 5}), solid = mesh_network({3, 3, 3}),
                        torus = grid_network("torus", {6, 6});
  const RoutingSettings any = routing("tfar");
  return {
      {mesh,
       routing("dimension-order"),
       routing("north-last"),
       1,
       {"not in the lowest unfinished dimension"}},
      {torus,
       routing("dimension-order", {{"dateline", "strict"}}),
       routing("dimension-order", {{"dateline", "none"}}),
       2,
       {"class 1 before the dateline", "class 0 after the dateline, or without one"}},
      {torus,
       routing("dimension-order"),
       routing("dimension-order", {{"dateline", "halves"}}),
       2,
       {"another class in the same dimension"}},
      {mesh, routing("west-first"), routing("north-last"), 1, {"not west, which is still ahead"}},
      {mesh, routing("north-last"), routing("west-first"), 1, {"north before the last other hop"}},
      {solid, routing("negative-first"), any, 1, {"positive before the last negative hop"}},
      {hypercube_network(4), routing("p-cube"), any, 1, {"from 1 to 0 before the last hop from 0 to 1"}},
      {mesh,
       routing("double-y"),
       any,
       2,
       {"in Y in the network of the other direction", "changes between the networks"}},
      {mesh, routing("double-double-y"), any, 3, {"in none of the networks of its direction"}},
      {solid,
       routing("linder-harden"),
       any,
       4,
       {"changes between the networks", "in a network of another direction"}},
      {grid_network("torus", {5, 4}),
       routing("linder-harden"),
       any,
       6,
       {"not on the level of its hops around an edge"}},
      {mesh, routing("opt-y"), any, 3, {"on the restricted class in Y with hops to the west left"}},
      {solid,
       routing("planar-adaptive"),
       any,
       3,
       {"outside of the plane", "on the class of another role in the plane"}},
      {mesh, routing("duato"), any, 2, {"escape not in dimension order"}},
      {torus,
       routing("duato"),
       any,
       3,
       {"escape not in dimension order", "escape on the wrong side of the dateline"}},
      {mesh,
       routing("duato", {{"escape", "terminal"}}),
       routing("duato"),
       2,
       {"adaptive again after a terminal escape"}},
      {solid,
       routing("dally-aoki-static"),
       any,
       2,
       {"not on the class of its reversals", "not in order after the last reversal"}},
      {mesh,
       routing("dally-aoki-static", {{"reversals", std::int64_t{2}}}),
       any,
       3,
       {"not on the class of its reversals"}},
  };
}

/// A fabric that a rule watches. Messages between all pairs of nodes, from the start.
class Watched {
 public:
  Watched(const PlantedCase& c, const RoutingSettings& routing, const std::string& name)
      : bench_(c.network, hardware(c), routing, name.c_str(), 3),
        watch_(bench_.fabric, routing_rule(bench_.topology(), c.rule, static_cast<unsigned>(c.vcs))) {}

  void send() {
    const NodeId nodes = bench_.topology().node_count();
    for (NodeId from = 0; from < nodes; ++from)
      for (NodeId i = 1; i < nodes; ++i) bench_.fabric.network_interface(from).send((from + i) % nodes, 3);
  }
  void look() { watch_.look(); }
  bool quiet() const { return bench_.fabric.quiet(); }
  const RuleWatch& watch() const { return watch_; }
  std::uint64_t hops() const {
    std::uint64_t hops = 0;
    for (const FabricBench::Delivery& d : bench_.deliveries) hops += d.hops;
    return hops;
  }

 private:
  static HardwareSettings hardware(const PlantedCase& c) {
    HardwareSettings hardware = preset("iq");
    hardware.router.virtual_channels = c.vcs;
    hardware.router.vc_reallocation = "atomic";
    return hardware;
  }

  FabricBench bench_;
  RuleWatch watch_;
};

TEST(RoutingRules, HoldForTheirAlgorithmsAndFindOutOthers) {
  const std::vector<PlantedCase> cases = planted_cases();
  std::vector<std::unique_ptr<Watched>> right, wrong;
  std::set<std::string> tried;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    right.push_back(std::make_unique<Watched>(cases[i], cases[i].rule, "right" + std::to_string(i)));
    wrong.push_back(std::make_unique<Watched>(cases[i], cases[i].planted, "wrong" + std::to_string(i)));
    tried.insert(cases[i].rule.algorithm);
  }
  for (const std::string& algorithm : algorithms_with_rules())
    EXPECT_TRUE(tried.contains(algorithm)) << algorithm;

  constexpr Cycle kLatestEnd = 5000;  // what is planted may deadlock
  const auto busy = [&] {
    return std::any_of(right.begin(), right.end(), [](const auto& network) { return !network->quiet(); });
  };
  for (auto* networks : {&right, &wrong})
    for (const auto& network : *networks) network->send();
  for (Cycle t = 0; t < kLatestEnd && (t == 0 || busy()); ++t) {
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    for (auto* networks : {&right, &wrong})
      for (const auto& network : *networks) network->look();
  }
  EXPECT_FALSE(busy());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i) + ": " + cases[i].planted.algorithm + " for " +
                 cases[i].rule.algorithm);
    EXPECT_EQ(right[i]->watch().violations(), 0u) << right[i]->watch().first();
    EXPECT_EQ(right[i]->watch().hops(), right[i]->hops()) << "hops that were not seen";
    EXPECT_GT(wrong[i]->watch().violations(), 0u);
    for (const std::string& what : cases[i].found)
      EXPECT_TRUE(wrong[i]->watch().what().contains(what))
          << what << "; first: " << wrong[i]->watch().first();
  }
}

// From (0, 0) to (2, 2) on a 3x3 mesh; ports 0 to 3 are east, west, north, south.
TEST(RoutingRules, KnowAWayWithAGapAndAWayBack) {
  const Mesh mesh({3, 3});
  const auto rule = routing_rule(mesh, routing("north-last"), 1);
  ObservedWay way{0, 8, {{0, 0, 0}}};
  EXPECT_EQ(rule->violation(way), "");
  way.hops.push_back({2, 2, 0});
  EXPECT_EQ(rule->violation(way), "not from the router that it was at");
  way.hops.back() = {1, 1, 0};
  EXPECT_EQ(rule->violation(way), "away from the destination");
  way.hops.back() = {1, 0, 1};
  EXPECT_EQ(rule->violation(way), "on no virtual channel");
  way.hops = {{1, 0, 0}};
  EXPECT_EQ(rule->violation(way), "not from the router that it was at") << "not from its source";
  EXPECT_EQ(routing_rule(mesh, routing("tfar"), 1), nullptr);
}

}  // namespace
}  // namespace flitmend
