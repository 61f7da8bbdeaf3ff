// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "protocols/deadlock/checker.h"
#include "protocols/deadlock/dependency_graph.h"
#include "protocols/extended_graph.h"
#include "protocols/networks.h"
#include "protocols/scripted_routing.h"
#include "topologies/hypercube.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

namespace flitmend {
namespace {

DeadlockAnalysis check(const RoutingFunction& routing, bool cut_through = false) {
  return analyse_deadlock(routing, ChannelMap(routing), {.cut_through = cut_through});
}
DeadlockAnalysis check(const Topology& t, const std::string& name, unsigned vcs = 0) {
  const RoutingSettings s = algorithm(name);
  return check(*make_routing(t, vcs ? vcs : routing_properties(t, s).virtual_channels, s));
}

constexpr PortId kEast = 0, kWest = 1, kNorth = 2;

bool contains(const std::vector<PortId>& ports, PortId port) {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
}

/// Duato's algorithm with options that break it. Class 0 escape, 1 adaptive.
struct DuatoVariant {
  bool escape_only_at_source = false;
  bool adaptive_on_escape = false;
  bool misroute = false;  ///< one hop through a port that is not productive, but never back
  bool escape_is_terminal = false;

  ScriptedRouting on(const Grid& grid) const {
    return {grid, 2,
            [v = *this](const ScriptedRouting& r, const RouteRequest& q,
                        const std::vector<PortId>& productive, CandidateList& out) {
              constexpr std::uint64_t kMisrouted = 1, kEscaped = 2;
              const bool escaped = q.head_state & kEscaped;
              if (!escaped)
                for (PortId p : productive) {
                  out.push({.head_state = q.head_state, .port = p, .vc_class = 1});
                  if (v.adaptive_on_escape) out.push({.head_state = q.head_state, .port = p});
                }
              if (!v.escape_only_at_source || q.arrival_port == RouteRequest::kInjected)
                out.push({.head_state = q.head_state | (v.escape_is_terminal ? kEscaped : 0),
                          .port = r.first_port(q),
                          .preference = 1,
                          .escape = true});
              if (v.misroute && !escaped && !(q.head_state & kMisrouted))
                for (PortId p = 0; p < r.grid().port_count(q.here); ++p)
                  if (r.grid().neighbour(q.here, p) && !contains(productive, p) && p != q.arrival_port)
                    out.push(
                        {.head_state = q.head_state | kMisrouted, .port = p, .vc_class = 1, .preference = 2});
            }};
  }
};

/// Dimension order on one class, on any topology.
ScriptedRouting without_dateline(const Torus& torus) {
  return {torus, 1,
          [](const ScriptedRouting& r, const RouteRequest& q, const std::vector<PortId>&,
             CandidateList& out) { out.push({.port = r.first_port(q)}); }};
}

/// Opt-y, but y1 is also used on the way to the west.
ScriptedRouting widened_opt_y(const Mesh& mesh) {
  return {mesh, 2,
          [](const ScriptedRouting&, const RouteRequest&, const std::vector<PortId>& productive,
             CandidateList& out) {
            for (PortId p : productive)
              if (p >= kNorth) out.push({.port = p, .vc_class = 1});
            for (PortId p : productive) out.push({.port = p, .escape = true});
          }};
}

std::unique_ptr<Mesh> mesh(std::uint32_t k) {
  return std::make_unique<Mesh>(std::vector<std::uint32_t>{k, k});
}
std::unique_ptr<Torus> torus(std::uint32_t k) {
  return std::make_unique<Torus>(std::vector<std::uint32_t>{k, k});
}

/// Each message waits only for what others of the set hold.
void expect_legal_deadlock(const DeadlockAnalysis& a) {
  ASSERT_FALSE(a.deadlock.empty());
  std::set<ChannelId> held;
  for (const BlockedMessage& m : a.deadlock)
    for (ChannelId c : m.holds) EXPECT_TRUE(held.insert(c).second) << "held twice";
  for (const BlockedMessage& m : a.deadlock) {
    EXPECT_FALSE(m.wants.empty());
    for (ChannelId c : m.wants) EXPECT_TRUE(held.contains(c));
  }
}

}  // namespace

TEST(Channels, AreTheVirtualChannelsThatNoClassTellsApart) {
  const Mesh line({3});
  const auto duato = make_routing(line, 4, algorithm("duato"));
  const ChannelMap channels(*duato);
  ASSERT_EQ(channels.size(), 4u * 2);
  EXPECT_EQ(channels.name(0), "router_0.dim0_plus.vc0");
  EXPECT_EQ(channels.name(1), "router_0.dim0_plus.vc1-3");
  EXPECT_EQ(channels.far_end(0), (RouterPort{1, 1}));
  EXPECT_EQ(channels.of_class(0, 0, 1)[0], 1u);
  EXPECT_TRUE(channels.of_class(0, 1, 0).empty()) << "the edge";
}

TEST(Channels, OverlappingClassesAreTakenApart) {
  class Overlapping : public GridRouting {
   public:
    explicit Overlapping(const Grid& g) : GridRouting(g, {0b0011, 0b1100, 0b1111, 0b0101}) {}
    void route(const RouteRequest& q, CandidateList& out) const override { consume(q, out); }
    unsigned max_candidates() const override { return 1; }
  };
  const Mesh line({2});
  const Overlapping routing(line);
  const ChannelMap channels(routing);
  ASSERT_EQ(channels.size(), 2u * 4);
  EXPECT_EQ(channels.of_class(0, 0, 2).size(), 4u);
  VcMask of_class_3 = 0;
  for (ChannelId c : channels.of_class(0, 0, 3)) of_class_3 |= channels[c].vcs;
  EXPECT_EQ(of_class_3, 0b0101u);
  for (ChannelId c = 0; c < 4; ++c) EXPECT_EQ(channels[c].vcs & (channels[c].vcs - 1), 0u) << "one each";
}

TEST(DeadlockChecker, DependenciesOfXyAreItsTurns) {
  // 4x4 mesh. Straight: 2 per row and direction, 16 in X, 16 in Y. Turns: each of the 6 X channels of a row
  // to the Y channels that leave its end, 1, 2, 2, 1 by row: 36.
  const DeadlockAnalysis a = check(*mesh(4), "dimension-order");
  EXPECT_EQ(a.channels, 48u);
  EXPECT_EQ(a.dependencies, 16u + 16 + 36);
}

TEST(DeadlockChecker, DuatoIsFreeByItsEscapeChannels) {
  // 4x4 torus, direct dependencies of the escape channels. Straight: each of the 8 rings has 4 pairs of
  // channels in either direction, as ties go both ways. Turns: each of the 2 X channels into a node to 2 or 3
  // Y channels with their class, 10 in a column: 8 · 8 + 2 · 4 · 10.
  struct Row {
    std::unique_ptr<Topology> topology;
    std::size_t direct, indirect;
  };
  Row rows[] = {{mesh(4), 68, 196},
                {mesh(5), 124, 636},
                {std::make_unique<Hypercube>(3), 24, 16},
                {torus(4), 144, 304}};
  for (const Row& row : rows) {
    const DeadlockAnalysis a = check(*row.topology, "duato");
    EXPECT_EQ(a.verdict, DeadlockVerdict::free) << row.topology->description();
    EXPECT_EQ(a.argument, DeadlockArgument::escape_channels);
    EXPECT_TRUE(a.needs_atomic_reallocation);
    EXPECT_EQ(a.cycle.size(), 4u);
    ASSERT_TRUE(a.escape);
    EXPECT_TRUE(a.escape->connected);
    const auto routing =
        make_routing(*row.topology, routing_properties(*row.topology, algorithm("duato")).virtual_channels,
                     algorithm("duato"));
    const ExtendedGraph graph = extended_graph(*routing, ChannelMap(*routing));
    EXPECT_EQ(edge_count(graph.direct), row.direct) << row.topology->description();
    EXPECT_EQ(edge_count(graph.indirect), row.indirect) << row.topology->description();
    EXPECT_EQ(graph.escape_channels.size(), a.escape->channels);
    EXPECT_TRUE(shortest_cycle(graph.wormhole()).empty()) << "the order that was found is one";
    EXPECT_TRUE(a.routes.sound());
  }
  for (const auto& t : {torus(5), torus(6)}) EXPECT_EQ(check(*t, "duato").verdict, DeadlockVerdict::free);
  EXPECT_EQ(check(Hypercube(5), "duato", 4).verdict, DeadlockVerdict::free);
}

TEST(DeadlockChecker, FullyAdaptiveWithoutEscapeCanDeadlock) {
  struct Row {
    std::unique_ptr<Topology> topology;
    std::size_t states;
  };
  Row rows[] = {{mesh(4), 336},
                {mesh(5), 920},
                {std::make_unique<Hypercube>(3), 72},
                {std::make_unique<Hypercube>(4), 448},
                {torus(4), 448},
                {torus(5), 900}};
  for (const Row& row : rows) {
    const DeadlockAnalysis a = check(*row.topology, "tfar");
    EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock) << row.topology->description();
    EXPECT_EQ(a.argument, DeadlockArgument::cut_through_fixpoint);
    EXPECT_EQ(a.cycle.size(), 4u);
    EXPECT_FALSE(a.escape);
    EXPECT_EQ(a.cut_through_blocked, row.states) << row.topology->description();
    expect_legal_deadlock(a);
  }
}

TEST(DeadlockChecker, ATorusWithoutDatelineDeadlocksAroundItsRings) {
  const Torus ring({8});
  const auto t4 = torus(4), t5 = torus(5);
  struct Row {
    const Torus* topology;
    std::size_t cycle, states;
  };
  for (const Row& row : {Row{t4.get(), 4, 144}, Row{t5.get(), 5, 500}, Row{&ring, 8, 40}}) {
    const DeadlockAnalysis a = check(without_dateline(*row.topology));
    EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock) << row.topology->description();
    EXPECT_EQ(a.cycle.size(), row.cycle);
    EXPECT_EQ(a.cut_through_blocked, row.states);
    EXPECT_EQ(a.deadlock.size(), row.cycle) << "a ring of messages is the smallest deadlock";
    expect_legal_deadlock(a);
  }
}

TEST(DeadlockChecker, OneForbiddenTurnTooFewDeadlocksWestFirst) {
  for (auto [k, states] : {std::pair<std::uint32_t, std::size_t>{4, 286}, {5, 798}}) {
    const auto m = mesh(k);
    const ScriptedRouting routing(*m, 1,
                                  [](const ScriptedRouting&, const RouteRequest&,
                                     const std::vector<PortId>& productive, CandidateList& out) {
                                    const bool west = contains(productive, kWest);
                                    for (PortId p : productive)
                                      if (!west || p == kWest || p == kNorth) out.push({.port = p});
                                  });
    const DeadlockAnalysis a = check(routing);
    EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
    EXPECT_EQ(a.cycle.size(), 4u);
    EXPECT_EQ(a.cut_through_blocked, states);
    expect_legal_deadlock(a);
  }
}

TEST(DeadlockChecker, AnEscapeOnlyAtTheSourceIsNone) {
  const auto m = mesh(4);
  DuatoVariant v;
  v.escape_only_at_source = true;
  const DeadlockAnalysis a = check(v.on(*m));
  EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
  ASSERT_TRUE(a.escape);
  EXPECT_FALSE(a.escape->connected);
  EXPECT_TRUE(a.escape->cycle.empty()) << "the graph alone would not show it";
  expect_legal_deadlock(a);
}

TEST(DeadlockChecker, AdaptiveUseOfTheEscapeChannelsBreaksTheProof) {
  const auto m = mesh(4);
  DuatoVariant v;
  v.adaptive_on_escape = true;
  const DeadlockAnalysis a = check(v.on(*m));
  EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
  EXPECT_TRUE(a.escape->connected);
  EXPECT_FALSE(a.escape->cycle.empty());
  expect_legal_deadlock(a);
}

TEST(DeadlockChecker, AMisrouteNeedsATerminalEscapeOrCutThrough) {
  const auto m = mesh(4);
  DuatoVariant v;
  v.misroute = true;
  const DeadlockAnalysis wormhole = check(v.on(*m));
  EXPECT_EQ(wormhole.cycle.size(), 2u);
  EXPECT_EQ(wormhole.verdict, DeadlockVerdict::can_deadlock);
  EXPECT_EQ(wormhole.argument, DeadlockArgument::wormhole_search);
  EXPECT_EQ(wormhole.cut_through_blocked, 0u);
  expect_legal_deadlock(wormhole);
  EXPECT_FALSE(wormhole.escape->cycle.empty());
  const DeadlockAnalysis cut_through = check(v.on(*m), true);
  EXPECT_EQ(cut_through.verdict, DeadlockVerdict::free);
  EXPECT_FALSE(cut_through.needs_atomic_reallocation);
  v.escape_is_terminal = true;
  const DeadlockAnalysis terminal = check(v.on(*m));
  EXPECT_EQ(terminal.verdict, DeadlockVerdict::free);
  EXPECT_EQ(terminal.argument, DeadlockArgument::escape_channels);
}

TEST(DeadlockChecker, ATorusEscapeNeedsItsDateline) {
  const auto t = torus(4);
  const DeadlockAnalysis a = check(DuatoVariant{}.on(*t));
  EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
  EXPECT_FALSE(a.escape->cycle.empty());
  expect_legal_deadlock(a);
}

TEST(DeadlockChecker, HalvesIsFreeAlthoughItsGraphHasACycle) {
  RoutingSettings s = algorithm("dimension-order");
  s.options.set("dateline", "halves");
  const Torus ring({8});
  const auto t4 = torus(4), t6 = torus(6);
  for (const Topology* t : {static_cast<const Topology*>(&ring), static_cast<const Topology*>(t4.get()),
                            static_cast<const Topology*>(t6.get())})
    for (unsigned vcs : {2u, 3u, 4u}) {
      const DeadlockAnalysis a = check(*make_routing(*t, vcs, s));
      EXPECT_EQ(a.verdict, DeadlockVerdict::free) << t->description();
      EXPECT_EQ(a.argument, DeadlockArgument::escape_channels);
      EXPECT_TRUE(a.needs_atomic_reallocation);
    }
}

TEST(DeadlockChecker, AWidenedOptYCanDeadlock) {
  const auto m = mesh(4);
  const DeadlockAnalysis a = check(widened_opt_y(*m));
  EXPECT_EQ(a.verdict, DeadlockVerdict::can_deadlock);
  EXPECT_FALSE(a.escape->cycle.empty());
}

TEST(RouteChecks, FaultsLeavePairsWithoutARoute) {
  const auto m = mesh(4);
  const auto routing = make_routing(*m, 1, algorithm("dimension-order"));
  FaultSet faults(*m);
  faults.fail_link(0, kEast);
  const ChannelMap channels(*routing);
  const DeadlockAnalysis a = analyse_deadlock(*routing, channels, {false, &faults});
  // From the corner to the 3 other columns; from the rest of its row to its column.
  EXPECT_EQ(a.routes.pairs, 240u);
  EXPECT_EQ(a.routes.without_route, 12u + 12u);
  EXPECT_EQ(a.routes.can_strand, 0u);
  EXPECT_FALSE(a.routes.sound());
}

TEST(RouteChecks, AdaptiveMessagesCanStrandWhereOneChoiceIsDead) {
  const auto m = mesh(4);
  const auto routing = make_routing(*m, 1, algorithm("west-first"));
  FaultSet faults(*m);
  faults.fail_router(5);
  const DeadlockAnalysis a = analyse_deadlock(*routing, ChannelMap(*routing), {false, &faults});
  EXPECT_EQ(a.routes.pairs, 15u * 14u);
  EXPECT_GT(a.routes.without_route, 0u);
  EXPECT_GT(a.routes.can_strand, 0u);
  EXPECT_EQ(a.verdict, DeadlockVerdict::free);
}

TEST(RouteChecks, FindsLivelock) {
  const auto m = mesh(4);
  const ScriptedRouting routing(
      *m, 1,
      [](const ScriptedRouting& r, const RouteRequest& q, const std::vector<PortId>&, CandidateList& out) {
        for (PortId p = 0; p < 4; ++p)
          if (r.grid().neighbour(q.here, p)) out.push({.port = p});
      });
  const DeadlockAnalysis a = check(routing);
  EXPECT_FALSE(a.routes.livelock.empty());
  EXPECT_FALSE(a.routes.sound());
}

TEST(RouteChecks, AnAbsorbedMessageIsNeitherBlockedNorLost) {
  // On a line without classes every message is absorbed at each node and injected again: no channel waits for
  // another, and all messages arrive.
  const Mesh line({6});
  const ScriptedRouting routing(line, 1,
                                [](const ScriptedRouting& r, const RouteRequest& q,
                                   const std::vector<PortId>& productive, CandidateList& out) {
                                  if (q.arrival_port == RouteRequest::kInjected)
                                    out.push({.port = productive[0]});
                                  else
                                    out.push({.head_state = 7, .port = r.local_port(q.here)});
                                });
  const DeadlockAnalysis a = check(routing);
  EXPECT_EQ(a.verdict, DeadlockVerdict::free);
  EXPECT_EQ(a.dependencies, 0u);
  EXPECT_TRUE(a.routes.sound());
}

TEST(DeadlockChecker, SaysWhatItFound) {
  const Torus ring({4});
  const ScriptedRouting routing = without_dateline(ring);
  const ChannelMap channels(routing);
  const std::string text = describe(analyse_deadlock(routing, channels), routing, channels);
  EXPECT_NE(text.find("deadlock: can deadlock (cut-through fixpoint)"), std::string::npos) << text;
  EXPECT_NE(text.find("a shortest cycle has 4 channels: router_0.dim0_plus.vc0 -> router_1.dim0_plus.vc0"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("holds router_0.dim0_plus.vc0, waits for router_1.dim0_plus.vc0"), std::string::npos)
      << text;
  EXPECT_NE(text.find("routes: all 12 pairs arrive, whichever candidates are chosen"), std::string::npos)
      << text;
}

namespace {

/// Keeps what it hears; ends the check in a step of its choice.
struct Listener : ProofListener {
  void begin_step(std::string_view step) override { steps.emplace_back(step); }
  void update(std::uint64_t done, std::uint64_t all) override {
    EXPECT_LE(done, all);
    ++updates;
  }
  bool stop() const override { return steps.back() == last_step; }
  void needs_memory(std::string_view step, std::uint64_t bytes) override {
    memory[std::string(step)] = bytes;
  }

  std::string last_step;
  std::vector<std::string> steps;
  std::map<std::string, std::uint64_t> memory;
  std::uint64_t updates = 0;
};

}  // namespace

TEST(Deadlock, AListenerHearsOfStepsAndMemoryAndEndsTheCheck) {
  const Torus torus({8, 8});
  const auto routing = make_routing(torus, 4, algorithm("tfar"));
  const ChannelMap channels(*routing);
  Listener all;
  DeadlockOptions options;
  options.listener = &all;
  EXPECT_EQ(analyse_deadlock(*routing, channels, options).verdict, DeadlockVerdict::can_deadlock);
  EXPECT_EQ(all.steps,
            (std::vector<std::string>{"channel dependencies", "shortest cycle", "states of all messages",
                                      "messages that could block each other",
                                      "messages that hold one channel each", "smallest deadlock"}));
  EXPECT_GT(all.updates, 3u * 64);
  EXPECT_GT(all.memory["states of all messages"], 64u * 256 * sizeof(StateGraph::State));
  for (const std::string& step : all.steps) {
    Listener ending;
    ending.last_step = step;
    options.listener = &ending;
    EXPECT_THROW(analyse_deadlock(*routing, channels, options), Interrupted) << step;
    EXPECT_EQ(ending.steps.back(), step);
  }
}

}  // namespace flitmend
