// SPDX-License-Identifier: Apache-2.0
#include "testbench/faults/fault_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.h"
#include "testbench/traffic/node_names.h"
#include "topologies/fault_set.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

std::unique_ptr<Topology> network(const char* topology, std::vector<std::int64_t> size) {
  NetworkSettings s;
  s.topology = topology;
  s.size = std::move(size);
  return make_topology(s);
}

NodeName at(std::vector<std::int64_t> coordinates) {
  return {std::move(coordinates), false};
}

FaultEvent node_event(std::int64_t cycle, std::vector<std::int64_t> node,
                      std::optional<std::int64_t> duration) {
  FaultEvent event;
  event.cycle = cycle;
  event.node = at(std::move(node));
  event.duration = {duration};
  return event;
}

FaultEvent link_event(std::int64_t cycle, std::int64_t from, std::int64_t to,
                      std::optional<std::int64_t> duration) {
  FaultEvent event;
  event.cycle = cycle;
  event.link = LinkName{{{from}, true}, {{to}, true}};
  event.duration = {duration};
  return event;
}

std::vector<FaultAction> actions(FaultPlan& plan, std::size_t most = 1000) {
  std::vector<FaultAction> all;
  while (all.size() < most && plan.next_cycle() != FaultPlan::kNoCycle) all.push_back(plan.take());
  return all;
}

std::string refusal(const FaultSettings& settings, const Topology& topology) {
  try {
    const FaultPlan plan(settings, topology, 1);
    return plan.static_faults().empty() ? "" : "not refused";
  } catch (const KeyError& error) {
    return error.what();
  }
}

TEST(FaultPlan, ListedFaultsComeInOrderAndEnd) {
  const auto mesh = network("mesh", {4, 4});
  FaultSettings s;
  s.events = {node_event(30, {1, 0}, 5), node_event(10, {2, 1}, std::nullopt), node_event(33, {0, 0}, 2)};
  FaultPlan plan(s, *mesh, 1);
  EXPECT_TRUE(plan.static_faults().empty());
  EXPECT_EQ(actions(plan), (std::vector<FaultAction>{{10, {6}, false, true},
                                                     {30, {1}, false, false},
                                                     {33, {0}, false, false},
                                                     {35, {0}, true, false},
                                                     {35, {1}, true, false}}));
}

TEST(FaultPlan, ALinkFailsInBothDirectionsUnlessOneWay) {
  const auto mesh = network("mesh", {2});
  FaultSettings s;
  s.events = {link_event(7, 1, 0, 3)};
  FaultPlan both(s, *mesh, 1);
  EXPECT_EQ(actions(both).size(), 4u);
  s.events[0].one_way = true;
  FaultPlan one(s, *mesh, 1);
  const auto all = actions(one);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].part.router, 1u);
  EXPECT_EQ(all[1], (FaultAction{10, all[0].part, true, false}));
}

TEST(FaultPlan, NamesSwitchesAndTheirLinks) {
  NetworkSettings s;
  s.topology = "kns";
  s.k = 4;
  s.n = 2;
  s.options.set("subnetwork", "fat-tree");
  s.options.set("arity", 2);
  const auto tree = make_topology(s);
  const auto named = [](const char* name) { return NodeName{{}, false, name}; };
  const auto number = [&](const std::string& name) {
    const auto router = find_router({{}, false, name}, *tree);
    EXPECT_TRUE(router.has_value()) << name;
    return router.value_or(0);
  };
  FaultSettings faults;
  faults.static_nodes = {named("switch_d0_1_stage1_0")};
  faults.static_links = {{{{5}, true}, named("switch_d1_1_stage0_0")}};
  FaultEvent event;
  event.cycle = 9;
  event.link = LinkName{named("switch_d0_0_stage0_1"), named("switch_d0_0_stage1_1")};
  event.duration = {3};
  faults.events = {event};
  FaultPlan plan(faults, *tree, 1);
  ASSERT_EQ(plan.static_faults().size(), 3u);
  EXPECT_EQ(plan.static_faults()[0], (FaultyPart{number("switch_d0_1_stage1_0")}));
  EXPECT_EQ(plan.static_faults()[1].router, 5u);
  EXPECT_EQ(plan.static_faults()[2].router, number("switch_d1_1_stage0_0"));
  const auto all = actions(plan);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].part.router, number("switch_d0_0_stage0_1"));
  EXPECT_EQ(all[1].part.router, number("switch_d0_0_stage1_1"));

  faults.events.clear();
  faults.static_nodes = {named("switch_d9_0")};
  const std::string refused = refusal(faults, *tree);
  EXPECT_NE(refused.find("there is no node switch_d9_0"), std::string::npos) << refused;
  EXPECT_NE(refused.find("switches have names like switch_d0_0_stage0_0"), std::string::npos) << refused;
}

TEST(FaultPlan, DrawnFaultsHaveTheirRateAndDependOnTheSeedOnly) {
  const auto mesh = network("mesh", {8, 8});
  FaultSettings s;
  s.node_rate = 1e-3;
  s.link_rate = 5e-4;
  constexpr std::uint64_t kCycles = 20000;
  const auto strikes = [&](std::uint64_t seed) {
    FaultPlan plan(s, *mesh, seed);
    std::vector<FaultAction> all;
    while (plan.next_cycle() < kCycles) all.push_back(plan.take());
    return all;
  };
  const auto first = strikes(1);
  EXPECT_EQ(first, strikes(1));
  EXPECT_NE(first, strikes(2));
  double nodes = 0, channels = 0;
  for (const FaultAction& a : first)
    if (!a.repair) ++(a.part.is_router() ? nodes : channels);
  EXPECT_NEAR(nodes / (64 * kCycles), 1e-3, 1.5e-4);
  EXPECT_NEAR(channels / (2 * 112 * kCycles), 5e-4, 8e-5);
}

TEST(FaultPlan, WhatIsFaultyAlreadyStaysSoLonger) {
  const auto mesh = network("mesh", {2});
  FaultSettings s;
  s.node_rate = 0.2;
  s.duration = {10};
  FaultPlan plan(s, *mesh, 1);
  std::uint64_t failed[2] = {0, 0};
  bool longer = false, faulty[2] = {false, false};
  for (const FaultAction& a : actions(plan, 400)) {
    const RouterId r = a.part.router;
    EXPECT_EQ(a.repair, faulty[r]) << "fails and is repaired by turns";
    faulty[r] = !a.repair;
    if (!a.repair) failed[r] = a.cycle;
    if (a.repair) {
      EXPECT_GE(a.cycle, failed[r] + 10);
      longer |= a.cycle > failed[r] + 10;
    }
  }
  EXPECT_TRUE(longer);
}

TEST(FaultPlan, DrawnFaultsMayStrikeNeighboursAtOnce) {
  const auto mesh = network("mesh", {8, 8});
  for (const bool links : {false, true}) {
    FaultSettings s;
    (links ? s.link_rate : s.node_rate) = 1e-5;
    s.at_once = 2;
    s.duration = {1};
    FaultPlan plan(s, *mesh, 3);
    std::map<std::uint64_t, std::vector<FaultyPart>> struck;
    for (const FaultAction& a : actions(plan))
      if (!a.repair) struck[a.cycle].push_back(a.part);
    unsigned together = 0;
    for (const auto& [cycle, parts] : struck) {
      if (parts.size() != (links ? 4u : 2u)) continue;  // two draws in one cycle
      ++together;
      std::map<RouterId, unsigned> ends;
      for (const FaultyPart& part : parts) {
        EXPECT_EQ(part.is_router(), !links);
        ++ends[part.router];
      }
      const auto shared = std::max_element(ends.begin(), ends.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (links) {
        EXPECT_EQ(shared->second, 2u) << "two links at one router";
        EXPECT_EQ(ends.size(), 3u);
      } else {
        const auto [x, y] = std::minmax(parts[0].router, parts[1].router);
        EXPECT_TRUE(y - x == 1 || y - x == 8) << x << " " << y;
      }
    }
    EXPECT_GT(together, 100u);
  }
}

TEST(FaultPlan, NothingStrikesInTheDrainButRepairsGoOn) {
  const auto mesh = network("mesh", {4, 4});
  FaultSettings s;
  s.node_rate = 1e-2;
  FaultPlan plan(s, *mesh, 1);
  plan.last_strike_before(500);
  std::uint64_t last_strike = 0;
  int down = 0;
  for (const FaultAction& a : actions(plan, 100000)) {
    if (!a.repair) last_strike = a.cycle;
    down += a.repair ? -1 : 1;
  }
  EXPECT_LT(last_strike, 500u);
  EXPECT_GT(last_strike, 400u);
  EXPECT_EQ(down, 0);
}

// An endless plan would stop the run within a cycle.
TEST(FaultPlan, EndsWhenEverythingIsDead) {
  const auto line = network("mesh", {6});
  for (const std::int64_t at_once : {1, 8}) {
    FaultSettings s;
    s.duration = {std::nullopt};
    s.at_once = at_once;
    s.node_rate = 1e-3;
    FaultPlan nodes(s, *line, 1);
    EXPECT_EQ(actions(nodes).size(), 6u);
    std::swap(s.node_rate, s.link_rate);
    FaultPlan links(s, *line, 1);
    EXPECT_EQ(actions(links).size(), 5u * 2) << "both directions";
    s.at_once = 1;
    for (std::int64_t i = 0; i + 1 < 6; ++i) s.events.push_back(link_event(1, i, i + 1, std::nullopt));
    FaultPlan listed(s, *line, 1);
    EXPECT_EQ(actions(listed).size(), 5u * 2);
    FaultSettings dead = s;
    dead.events.clear();
    for (std::int64_t i = 0; i + 1 < 6; ++i) dead.static_links.push_back({at({i}), at({i + 1})});
    FaultPlan none(dead, *line, 1);
    EXPECT_TRUE(actions(none).empty());
  }
}

// The same where transient faults follow each other so closely that no part is ever repaired.
TEST(FaultPlan, LooksNoFurtherThanItIsAsked) {
  const auto line = network("mesh", {2});
  FaultSettings s;
  s.duration = {10};
  s.link_rate = 1;
  FaultPlan plan(s, *line, 1);
  EXPECT_EQ(plan.next_cycle(), 0u);
  EXPECT_TRUE(plan.due(0));
  EXPECT_FALSE(plan.take().repair);
  EXPECT_FALSE(plan.take().repair) << "both directions";
  EXPECT_FALSE(plan.due(100000));
  EXPECT_EQ(plan.next_cycle(200000), 200000u);
  plan.last_strike_before(200000);
  const std::vector<FaultAction> rest = actions(plan);
  ASSERT_EQ(rest.size(), 2u);
  for (const FaultAction& action : rest) EXPECT_TRUE(action.repair && action.cycle >= 200000);
}

TEST(FaultPlan, RandomStaticFaultsLeaveTheRestConnected) {
  const auto mesh = network("mesh", {6, 6});
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    FaultSettings s;
    s.random_static_nodes = 5;
    s.random_static_links = 4;
    const FaultPlan plan(s, *mesh, seed);
    FaultSet faults(*mesh);
    NodeId dead = 0;
    for (const FaultyPart& part : plan.static_faults())
      part.is_router() ? (faults.fail_router(part.router), ++dead)
                       : (faults.fail_channel(part.router, part.port), dead);
    EXPECT_EQ(dead, 5u);
    EXPECT_EQ(plan.static_faults().size(), 5u + 2 * 4u);
    std::set<RouterId> seen;
    std::vector<RouterId> open;
    for (RouterId r = 0; r < 36 && open.empty(); ++r)
      if (!faults.router_faulty(r)) open.push_back(r), seen.insert(r);
    while (!open.empty()) {
      const RouterId r = open.back();
      open.pop_back();
      for (PortId p = 0; p < mesh->port_count(r); ++p)
        if (!faults.blocked(r, p) && seen.insert(mesh->neighbour(r, p)->router).second)
          open.push_back(mesh->neighbour(r, p)->router);
    }
    EXPECT_EQ(seen.size(), 31u) << "seed " << seed;
  }
}

TEST(FaultPlan, RefusesWhatCannotBe) {
  const auto mesh = network("mesh", {3, 3});
  FaultSettings s;
  s.static_nodes = {at({3, 0})};
  EXPECT_EQ(refusal(s, *mesh).find("faults.static_nodes: there is no node [3, 0] in the 3x3 mesh"), 0u);
  s = {};
  s.static_links = {{at({0, 0}), at({1, 1})}};
  EXPECT_EQ(refusal(s, *mesh).find("faults.static_links: there is no link between router_0_0 and router_1_1"),
            0u);
  s = {};
  s.regions = {"box 0,0:3x3"};
  EXPECT_EQ(refusal(s, *mesh), "faults.regions: all 9 nodes are dead; leave at least one");
  s = {};
  s.random_static_nodes = 9;
  EXPECT_EQ(refusal(s, *mesh),
            "faults.random_static_nodes: the 3x3 mesh has only 9 nodes; leave at least one alive");
  s.static_links = {{at({0, 0}), at({1, 0})}, {at({0, 1}), at({1, 1})}, {at({0, 2}), at({1, 2})}};
  s.random_static_nodes = 2;
  EXPECT_EQ(refusal(s, *mesh).find("faults.random_static_nodes: 2 dead nodes do not leave the rest"), 0u);
  s = {};
  s.random_static_links = 5;
  EXPECT_EQ(refusal(s, *mesh).find("faults.random_static_links: 5 dead links do not leave"), 0u);
  s.random_static_links = 13;
  EXPECT_EQ(refusal(s, *mesh), "faults.random_static_links: the 3x3 mesh has only 12 links; lower it");
  s = {};
  s.events = {node_event(10, {1, 1}, 20), node_event(30, {1, 1}, 5)};
  EXPECT_EQ(refusal(s, *mesh),
            "faults.events: two faults of router_1_1 overlap: the one in cycle 10 is not over before cycle "
            "30; join "
            "them, or shorten the first");
  s.events[1].cycle = 31;
  EXPECT_EQ(refusal(s, *mesh), "");
  s.static_nodes = {at({1, 1})};
  EXPECT_EQ(refusal(s, *mesh).find("faults.events: router_1_1 is dead from the start"), 0u);
}

TEST(FaultRegions, HaveTheirShapes) {
  const auto mesh = network("mesh", {8, 8});
  const auto picture = [&](const std::string& text) {
    std::string rows;
    const std::vector<NodeId> region = fault_region(text, *mesh);
    const std::set<NodeId> dead(region.begin(), region.end());
    for (unsigned y = 6; y-- > 1;) {
      for (unsigned x = 2; x < 7; ++x) rows += dead.count(x + 8 * y) ? '#' : '.';
      rows += ' ';
    }
    EXPECT_EQ(dead.size(), static_cast<std::size_t>(std::count(rows.begin(), rows.end(), '#'))) << text;
    return rows;
  };
  EXPECT_EQ(picture("box 2,1:5x5"), "##### ##### ##### ##### ##### ");
  EXPECT_EQ(picture("box 3,2:2x1"), "..... ..... ..... .##.. ..... ");
  EXPECT_EQ(picture("L 2,1:5x5"), "#.... #.... #.... #.... ##### ");
  EXPECT_EQ(picture("U 2,1:5x5"), "#...# #...# #...# #...# ##### ");
  EXPECT_EQ(picture("T 2,1:5x5"), "##### ..#.. ..#.. ..#.. ..#.. ");
  EXPECT_EQ(picture("plus 2,1:5x5"), "..#.. ..#.. ##### ..#.. ..#.. ");
  for (const char* wrong :
       {"box", "box 1,1", "box 1:2x2", "ring 1,1:2x2", "box 7,7:2x1", "box 1,1:0x1", "box 1,a:2x2"})
    EXPECT_THROW(fault_region(wrong, *mesh), ConfigurationError) << wrong;
}

}  // namespace
}  // namespace flitmend
