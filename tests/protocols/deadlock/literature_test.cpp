// SPDX-License-Identifier: Apache-2.0
// The verdicts of the checker are those of the papers in which the algorithms are defined.
#include <gtest/gtest.h>

#include "protocols/deadlock/checker.h"
#include "protocols/extended_graph.h"
#include "protocols/networks.h"
#include "protocols/scripted_routing.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

DeadlockAnalysis judged(const RoutingFunction& routing) {
  return analyse_deadlock(routing, ChannelMap(routing));
}
DeadlockAnalysis judged(const Topology& t, const std::string& name, OptionValues options = {}) {
  RoutingSettings s = algorithm(name);
  s.options = std::move(options);
  return judged(*make_routing(t, routing_properties(t, s).virtual_channels, s));
}

/// The algorithms of turns and of virtual networks, where they are defined.
const std::vector<std::string> kOnMeshes = {"dimension-order", "negative-first", "planar-adaptive",
                                            "linder-harden", "dally-aoki-static"};
const std::vector<std::string> kOnPlanes = {"west-first", "north-last", "double-y", "double-double-y"};
const std::vector<std::string> kOnCubes = {"dimension-order", "p-cube", "linder-harden", "dally-aoki-static"};

void expect_no_dependency_cycle(const Topology& t, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const DeadlockAnalysis a = judged(t, name);
    EXPECT_EQ(a.verdict, DeadlockVerdict::free) << name << " on a " << t.description();
    EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph) << name << " on a " << t.description();
    EXPECT_TRUE(a.routes.sound()) << name << " on a " << t.description();
  }
}

}  // namespace

TEST(Literature, TurnsAndVirtualNetworksLeaveNoCycleOfDependencies) {
  const Mesh m4({4, 4}), m6({6, 5}), cuboid({4, 3, 3});
  for (const Topology* t : {&m4, &m6, &cuboid}) expect_no_dependency_cycle(*t, kOnMeshes);
  for (const Topology* t : {&m4, &m6}) expect_no_dependency_cycle(*t, kOnPlanes);
  for (const unsigned dimensions : {3u, 4u, 5u}) expect_no_dependency_cycle(Hypercube(dimensions), kOnCubes);
  for (const std::int64_t reversals : {1, 2, 3, 5}) {
    const DeadlockAnalysis a = judged(m6, "dally-aoki-static", {{"reversals", reversals}});
    EXPECT_EQ(a.argument, DeadlockArgument::dependency_graph) << reversals << " reversals";
  }
  for (const auto& radices : {std::vector<std::uint32_t>{6, 6}, {7, 5}, {4, 4, 3}})
    expect_no_dependency_cycle(Torus(radices), {"dimension-order", "linder-harden"});
}

TEST(Literature, EscapeChannelsMakeCyclesOfDependenciesHarmless) {
  const Mesh m4({4, 4}), m5({5, 5});
  const Torus torus({6, 6});
  const Hypercube cube(4);
  struct Row {
    const Topology* topology;
    const char* algorithm;
  };
  for (const Row& row : {Row{&m4, "opt-y"},
                         {&m5, "opt-y"},
                         {&m4, "duato"},
                         {&torus, "duato"},
                         {&cube, "duato"},
                         {&m4, "dally-aoki-dynamic"},
                         {&torus, "dally-aoki-dynamic"},
                         {&cube, "dally-aoki-dynamic"}}) {
    const DeadlockAnalysis a = judged(*row.topology, row.algorithm);
    const std::string text = std::string(row.algorithm) + " on a " + row.topology->description();
    EXPECT_EQ(a.verdict, DeadlockVerdict::free) << text;
    EXPECT_EQ(a.argument, DeadlockArgument::escape_channels) << text;
    EXPECT_EQ(a.cycle.size(), 4u) << text;
    EXPECT_TRUE(a.routes.sound()) << text;
  }
  const auto opt_y = make_routing(m4, 2, algorithm("opt-y"));
  const ExtendedGraph graph = extended_graph(*opt_y, ChannelMap(*opt_y));
  EXPECT_EQ(edge_count(graph.direct), 86u);
  EXPECT_EQ(edge_count(graph.indirect), 110u);
}

TEST(Literature, WithoutRestrictionsMessagesCanDeadlock) {
  for (const char* name : {"tfar", "minimal-adaptive", "minimum-congestion"}) {
    const DeadlockAnalysis a = judged(Hypercube(3), name);
    EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock) << name;
    EXPECT_EQ(a.cut_through_blocked, 72u) << name;
    EXPECT_EQ(a.cycle.size(), 4u) << name;
  }
  for (const auto& torus : {Torus({4, 4}), Torus({5, 5})}) {
    EXPECT_EQ(judged(torus, "dimension-order", {{"dateline", "none"}, {"ties", "plus"}}).verdict,
              DeadlockVerdict::can_deadlock);
    EXPECT_EQ(judged(torus, "tfar").verdict, DeadlockVerdict::can_deadlock);
  }
}

/// Double-Y, but messages without hops in X keep to no network. Where they may take either, with one of the
/// two as an escape, that does no harm. Where they draw one at every hop and wait for it, it does.
TEST(Literature, DoubleYNeedsMessagesThatKeepToTheirNetwork) {
  const Mesh mesh({4, 4});
  const auto double_y = [&](bool draws) {
    return ScriptedRouting(
        mesh, 2,
        [draws](const ScriptedRouting& r, const RouteRequest& q, const std::vector<PortId>& productive,
                CandidateList& out) {
          const std::int32_t x = r.grid().offset(q.here, q.destination, 0);
          for (const PortId p : productive)
            for (const std::uint8_t vc_class : {0, 1}) {
              if (p < 2 ? vc_class != 0 : x != 0 && vc_class != (x > 0)) continue;
              if (!draws) {
                out.push({.port = p, .vc_class = vc_class, .escape = p < 2 || x != 0 || vc_class == 0});
              } else if (p < 2 || x != 0 || vc_class == q.head_state) {
                for (const std::uint64_t next : {0, 1})
                  out.push({.head_state = next, .port = p, .vc_class = vc_class});
              }
            }
        });
  };
  const DeadlockAnalysis takes_either = judged(double_y(false));
  EXPECT_EQ(takes_either.cycle.size(), 4u);
  EXPECT_EQ(takes_either.argument, DeadlockArgument::escape_channels);
  EXPECT_EQ(takes_either.verdict, DeadlockVerdict::free);
  const DeadlockAnalysis draws = judged(double_y(true));
  EXPECT_EQ(draws.cycle.size(), 4u);
  EXPECT_EQ(draws.verdict, DeadlockVerdict::can_deadlock);
}

/// Negative-first that may turn from the north to the west: a circle has only allowed turns then.
TEST(Literature, NegativeFirstNeedsBothOfItsTurnsForbidden) {
  const Mesh mesh({4, 4});
  const ScriptedRouting routing(mesh, 1,
                                [](const ScriptedRouting&, const RouteRequest&,
                                   const std::vector<PortId>& productive, CandidateList& out) {
                                  const bool south_east = productive.front() == 0 && productive.back() == 3;
                                  for (const PortId p : productive)
                                    if (!south_east || p == 3) out.push({.port = p});
                                });
  const DeadlockAnalysis a = judged(routing);
  EXPECT_EQ(a.cycle.size(), 4u);
  EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
}

/// Linder and Harden's networks without the levels of a torus.
TEST(Literature, LinderAndHardenNeedTheirLevelsOnATorus) {
  const Torus torus({5, 5});
  const ScriptedRouting routing(torus, 2,
                                [](const ScriptedRouting& r, const RouteRequest& q,
                                   const std::vector<PortId>& productive, CandidateList& out) {
                                  const bool south = r.grid().offset(q.here, q.destination, 1) < 0;
                                  for (const PortId p : productive) out.push({.port = p, .vc_class = south});
                                });
  EXPECT_EQ(judged(routing).verdict, DeadlockVerdict::can_deadlock);
}

}  // namespace flitmend
