// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/escape_order.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "base/random_stream.h"
#include "protocols/deadlock/checker.h"
#include "protocols/deadlock/escape_dependencies.h"
#include "protocols/extended_graph.h"
#include "protocols/networks.h"
#include "protocols/scripted_routing.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

/// Two classes: adaptive hops on the second, and one escape per head on the first, which is drawn for every
/// router and destination. Now and then the first is also used for adaptive hops.
ScriptedRouting drawn_escapes(const Grid& grid, std::uint64_t seed) {
  return {grid, 2,
          [seed](const ScriptedRouting&, const RouteRequest& q, const std::vector<PortId>& productive,
                 CandidateList& out) {
            RandomStream random(seed, RandomPurpose::test, q.here * 1000 + q.destination);
            for (const PortId p : productive) {
              out.push({.port = p, .vc_class = 1});
              if (random.below(60) == 0) out.push({.port = p});
            }
            const auto ports = static_cast<std::uint32_t>(productive.size());
            const std::uint32_t drawn = random.below(20) < 19 ? 0 : random.below(ports);
            out.push({.port = productive[drawn], .preference = 1, .escape = true});
          }};
}

/// The order of all destinations, raised until it is one or has a cycle.
EscapeOrder order_of(const RoutingFunction& routing, const ChannelMap& channels, bool cut_through) {
  EscapeOrder order(channels.size(), cut_through);
  StateExplorer explorer(routing, channels);
  PointOrder points;
  do {
    for (NodeId d = 0; d < routing.topology().node_count(); ++d) {
      const StateGraph& graph = explorer.explore(d);
      points.find(graph);
      order.add(graph, points);
    }
  } while (order.settle());
  return order;
}

}  // namespace

TEST(EscapeDependencies, AreThoseOfTheExtendedGraph) {
  const Mesh mesh({4, 3});
  const Torus ring({5});
  std::size_t crosses = 0;
  for (const Grid* grid : {static_cast<const Grid*>(&mesh), static_cast<const Grid*>(&ring)})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const ScriptedRouting routing = drawn_escapes(*grid, seed);
      const ChannelMap channels(routing);
      const ExtendedGraph graph = extended_graph(routing, channels);
      using Pairs = std::set<std::pair<ChannelId, ChannelId>>;
      Pairs expected[2], found[2];
      for (std::uint32_t i = 0; i < graph.escape_channels.size(); ++i)
        for (const bool indirect : {false, true})
          for (const std::uint32_t j : (indirect ? graph.indirect : graph.direct)[i])
            expected[indirect].emplace(graph.escape_channels[i], graph.escape_channels[j]);
      for (const EscapeDependency& d : escape_dependencies(routing, channels)) {
        found[d.indirect].emplace(d.from, d.to);
        crosses += d.cross;
      }
      EXPECT_EQ(found[false], expected[false]) << grid->description() << ' ' << seed;
      EXPECT_EQ(found[true], expected[true]) << grid->description() << ' ' << seed;
    }
  EXPECT_GT(crosses, 0u);
}

TEST(EscapeOrder, IsFoundIffTheExtendedGraphHasNoCycleAndLeadsDownwards) {
  unsigned cyclic = 0, free = 0;
  const Mesh mesh({4, 3});
  const Torus ring({5});
  for (const Grid* grid : {static_cast<const Grid*>(&mesh), static_cast<const Grid*>(&ring)})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const ScriptedRouting routing = drawn_escapes(*grid, seed);
      const ChannelMap channels(routing);
      const ExtendedGraph graph = extended_graph(routing, channels);
      for (const bool cut_through : {false, true}) {
        const Digraph relevant = cut_through ? graph.cut_through() : graph.wormhole();
        const EscapeOrder order = order_of(routing, channels, cut_through);
        const std::vector<ChannelId>& cycle = order.cycle();
        ASSERT_EQ(cycle.empty(), shortest_cycle(relevant).empty()) << grid->description() << ' ' << seed;
        cycle.empty() ? ++free : ++cyclic;
        std::vector<std::uint32_t> index(channels.size(), ~0u);
        for (std::uint32_t i = 0; i < relevant.size(); ++i) index[graph.escape_channels[i]] = i;
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const auto& successors = relevant[index[cycle[i]]];
          ASSERT_TRUE(
              std::binary_search(successors.begin(), successors.end(), index[cycle[(i + 1) % cycle.size()]]));
        }
        if (!cycle.empty()) continue;
        for (std::uint32_t i = 0; i < relevant.size(); ++i)
          for (const std::uint32_t j : relevant[i])
            ASSERT_GT(order.rank(graph.escape_channels[i]), order.rank(graph.escape_channels[j]));
      }
    }
  EXPECT_GT(cyclic, 10u);
  EXPECT_GT(free, 10u);
}

TEST(EscapeOrder, IsTheSameOnSeveralThreads) {
  // The checker shares 144 nodes out among threads.
  const Mesh large({12, 12});
  const auto routing = make_routing(large, 2, algorithm("duato"));
  const ChannelMap channels(*routing);
  const DeadlockAnalysis a = analyse_deadlock(*routing, channels);
  const EscapeOrder order = order_of(*routing, channels, false);
  ASSERT_TRUE(a.escape);
  std::size_t ranks = 0;
  for (ChannelId c = 0; c < channels.size(); ++c)
    if (channels[c].vcs == 1) ranks = std::max<std::size_t>(ranks, order.rank(c));
  EXPECT_EQ(*std::max_element(a.ranks.begin(), a.ranks.end()), ranks);
  EXPECT_EQ(a.routes.pairs, 144u * 143);
  EXPECT_TRUE(a.routes.sound());
}

TEST(PointOrder, HasEveryPointAfterThoseThatFollowIt) {
  const Mesh mesh({5, 4});
  const auto routing = make_routing(mesh, 2, algorithm("duato"));
  const ChannelMap channels(*routing);
  StateExplorer explorer(*routing, channels);
  PointOrder order;
  for (NodeId d = 0; d < mesh.node_count(); ++d) {
    const StateGraph& graph = explorer.explore(d);
    order.find(graph);
    EXPECT_FALSE(order.returns());
    ASSERT_EQ(order.points().size(), graph.points.size());
    std::vector<std::size_t> place(graph.points.size());
    for (std::size_t i = 0; i < order.points().size(); ++i) place[order.points()[i]] = i;
    for (PointId p = 0; p < graph.points.size(); ++p)
      for (const StateGraph::Edge& e : graph.edges_of(p))
        ASSERT_LT(place[graph.states[e.next].point], place[p]);
  }
}

}  // namespace flitmend
