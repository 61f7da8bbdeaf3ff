// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "protocols/networks.h"
#include "protocols/routing/selection/registry.h"
#include "protocols/routing/vc_classes.h"

namespace flitmend {
namespace {

std::string refusal(const Topology& t, unsigned vcs, const RoutingSettings& s) {
  try {
    make_routing(t, vcs, s);
  } catch (const ConfigurationError& e) {
    return e.what();
  }
  return "accepted";
}

/// Every configuration of every algorithm on every small network where it applies.
template <class F>
void for_each_algorithm(F&& f) {
  for (const auto& t : small_networks())
    for (const RoutingEntry& entry : routing_algorithms().entries()) {
      if (!entry.applies_to(*t)) continue;
      RoutingSettings s = algorithm(std::string(entry.name));
      if (entry.name == "west-first" && dynamic_cast<const Grid&>(*t).dimensions() != 2) continue;
      f(*t, entry, s);
      if (entry.has_option("dateline") && t->name() == "torus")
        for (const char* dateline : {"balanced", "halves"}) {
          s.dateline = dateline;
          f(*t, entry, s);
        }
    }
}

/// Takes every candidate of every head state and checks what must hold for each; returns the number of states
/// visited.
void follow_all(const Topology& t, const RoutingEntry& entry, DeadlockProof proof,
                const RoutingFunction& routing, unsigned vcs, NodeId source, NodeId destination,
                std::size_t& states) {
  struct State {
    RouterId here;
    PortId arrival_port;
    std::uint8_t arrival_vc;
    std::uint64_t h;
    std::uint32_t hops;
    auto operator<=>(const State&) const = default;
  };
  std::vector<State> todo;
  std::set<State> seen;
  for (std::uint64_t h : routing.initial_states(source, destination))
    todo.push_back({source, RouteRequest::kInjected, 0, h, 0});
  while (!todo.empty()) {
    const State s = todo.back();
    todo.pop_back();
    if (!seen.insert(s).second) continue;
    const std::string where = t.description() + " " + std::string(entry.name) + " " + t.router_name(source) +
                              " -> " + t.router_name(destination) + " at " + t.router_name(s.here);
    const auto list = candidates(
        routing, {s.here, source, destination, s.arrival_port, s.arrival_vc, s.h, nullptr, nullptr});
    ASSERT_FALSE(list.empty()) << where;
    if (s.here == destination) {
      ASSERT_EQ(list.size(), 1u) << where;
      ASSERT_EQ(list[0].port, routing.local_port(s.here)) << where;
      if (entry.minimal) {
        ASSERT_EQ(s.hops, t.distance(source, destination)) << where;
      }
      continue;
    }
    bool escape = false;
    unsigned preference = 0;
    for (const RouteCandidate& c : list) {
      const auto far = t.neighbour(s.here, c.port);
      ASSERT_TRUE(far) << where << " by port " << c.port;
      ASSERT_LT(c.vc_class, routing.classes()) << where;
      const VcMask mask = routing.class_vcs(s.here, c.port, c.vc_class);
      ASSERT_NE(mask, 0u) << where;
      ASSERT_EQ(vcs == 64 ? 0 : mask >> vcs, 0u) << where;
      ASSERT_GE(c.preference, preference) << where << ": candidates are in order of preference";
      preference = c.preference;
      escape |= c.escape;
      ASSERT_LT(s.hops, t.diameter()) << where << ": does not arrive";
      todo.push_back({far->router, far->port, static_cast<std::uint8_t>(std::countr_zero(mask)), c.head_state,
                      s.hops + 1});
    }
    if (proof == DeadlockProof::escape_channels) {
      ASSERT_TRUE(escape) << where << ": no escape";
    }
  }
  states += seen.size();
}

}  // namespace

TEST(RoutingAlgorithms, EveryChoiceReachesTheDestinationFromEveryNode) {
  std::size_t states = 0;
  for_each_algorithm([&](const Topology& t, const RoutingEntry& entry, const RoutingSettings& s) {
    for (unsigned vcs : {routing_needs(t, s).virtual_channels, 7u}) {
      const auto routing = make_routing(t, vcs, s);
      for (NodeId a = 0; a < t.node_count(); ++a)
        for (NodeId b = 0; b < t.node_count(); ++b)
          if (a != b) follow_all(t, entry, routing_needs(t, s).proof, *routing, vcs, a, b, states);
    }
  });
  EXPECT_GT(states, 100000u);
}

TEST(RoutingAlgorithms, DrawnInitialStatesAreThoseThatTheCheckerVisits) {
  RandomStream random(1, RandomPurpose::test);
  for_each_algorithm([&](const Topology& t, const RoutingEntry&, const RoutingSettings& s) {
    const auto routing = make_routing(t, routing_needs(t, s).virtual_channels, s);
    const auto listed = routing->initial_states(0, 1);
    std::set<std::uint64_t> drawn;
    for (int i = 0; i < 200; ++i) drawn.insert(routing->initial_state(0, 1, random));
    EXPECT_EQ(drawn, std::set<std::uint64_t>(listed.begin(), listed.end())) << t.description();
  });
}

TEST(RoutingAlgorithms, AFaultyPortIsNoCandidate) {
  struct AllFaulty final : PortStatus {
    bool faulty(PortId) const override { return true; }
  } all;
  for_each_algorithm([&](const Topology& t, const RoutingEntry& entry, const RoutingSettings& s) {
    const auto routing = make_routing(t, routing_needs(t, s).virtual_channels, s);
    EXPECT_TRUE(candidates(*routing, head(0, 1, 0, &all)).empty()) << t.description() << ' ' << entry.name;
    EXPECT_EQ(candidates(*routing, head(1, 1, 0, &all)).size(), 1u);
  });
}

TEST(RoutingAlgorithms, TheLocalPortHasAllVirtualChannels) {
  for_each_algorithm([&](const Topology& t, const RoutingEntry&, const RoutingSettings& s) {
    for (unsigned vcs : {5u, 64u}) {
      const auto routing = make_routing(t, vcs, s);
      EXPECT_EQ(routing->class_vcs(0, routing->local_port(0), 0), vcs == 64 ? ~VcMask{0} : VcMask{0x1f});
    }
  });
}

TEST(DimensionOrder, GoesXThenY) {
  const Mesh mesh({4, 4});
  const auto xy = make_routing(mesh, 1, algorithm("dimension-order"));
  const auto port = [&](RouterId from, NodeId to) {
    return mesh.port_name(from, candidates(*xy, head(from, to)).at(0).port);
  };
  EXPECT_EQ(port(5, 15), "east");
  EXPECT_EQ(port(5, 12), "west");
  EXPECT_EQ(port(5, 13), "north");
  EXPECT_EQ(port(5, 1), "south");
  EXPECT_EQ(port(5, 5), "local");
}

TEST(DimensionOrder, StrictDatelineIsClassZeroUpToTheWrapLink) {
  const Torus ring({8});
  const auto routing = make_routing(ring, 4, algorithm("dimension-order"));
  const auto vc_class = [&](RouterId from, NodeId to) {
    return candidates(*routing, head(from, to)).at(0).vc_class;
  };
  EXPECT_EQ(vc_class(6, 1), 0);  // + over the dateline
  EXPECT_EQ(vc_class(7, 1), 0);  // the wrap-around link
  EXPECT_EQ(vc_class(0, 1), 1);
  EXPECT_EQ(vc_class(2, 5), 1);  // never crosses
  EXPECT_EQ(vc_class(1, 6), 0);  // − over the dateline
  EXPECT_EQ(vc_class(0, 6), 0);
  EXPECT_EQ(vc_class(7, 6), 1);
  EXPECT_EQ(routing->class_vcs(0, 0, 0), 0b0011u);
  EXPECT_EQ(routing->class_vcs(0, 0, 1), 0b1100u);
}

TEST(DimensionOrder, BalancedDatelineKeepsTheDrawnClassWhereItNeverCrosses) {
  const Torus torus({8, 8});
  RoutingSettings s = algorithm("dimension-order");
  s.dateline = "balanced";
  const auto routing = make_routing(torus, 2, s);
  // Classes on the path from (6, 5) to (1, 7): across the dateline in x, not in y.
  for (std::uint64_t drawn : {0u, 1u}) {
    std::vector<unsigned> classes;
    RouterId here = *torus.node_at(std::vector<std::int64_t>{6, 5});
    const NodeId to = *torus.node_at(std::vector<std::int64_t>{1, 7});
    for (std::uint64_t h = drawn; here != to;) {
      const RouteCandidate c = candidates(*routing, head(here, to, h)).at(0);
      classes.push_back(c.vc_class);
      h = c.head_state;
      here = torus.neighbour(here, c.port)->router;
    }
    const unsigned b = static_cast<unsigned>(drawn);
    EXPECT_EQ(classes, (std::vector<unsigned>{0, 0, 1, b, b}));
  }
}

TEST(DimensionOrder, BalancedDatelineLoadsBothClassesAlike) {
  // Ring of 16, all pairs, 1024 hops. A message of L hops that crosses has j of them on class 0 if it starts
  // j before the dateline, so class 0 gets Σ_{L=1..8} L(L+1)/2 + Σ_{L=1..7} L(L+1)/2 = 204 hops with strict;
  // with balanced, the classes differ only by the 64 hops over the wrap-around links.
  const Torus ring({16});
  const auto share_of_class_1 = [&](const std::string& dateline) {
    RoutingSettings s = algorithm("dimension-order");
    s.dateline = dateline;
    const auto routing = make_routing(ring, 2, s);
    double hops = 0, ones = 0;
    for (NodeId a = 0; a < 16; ++a)
      for (NodeId b = 0; b < 16; ++b) {
        if (a == b) continue;
        const auto starts = routing->initial_states(a, b);
        for (std::uint64_t h : starts)
          for (RouterId here = a; here != b;) {
            const RouteCandidate c = candidates(*routing, head(here, b, h)).at(0);
            hops += 1.0 / static_cast<double>(starts.size());
            ones += c.vc_class / static_cast<double>(starts.size());
            h = c.head_state;
            here = ring.neighbour(here, c.port)->router;
          }
      }
    return ones / hops;
  };
  EXPECT_DOUBLE_EQ(share_of_class_1("strict"), 820.0 / 1024);
  EXPECT_DOUBLE_EQ(share_of_class_1("balanced"), 480.0 / 1024);
}

TEST(DimensionOrder, HalvesLetsMessagesThatNeverCrossTakeAnyVirtualChannel) {
  const Torus ring({8});
  RoutingSettings s = algorithm("dimension-order");
  s.dateline = "halves";
  const auto routing = make_routing(ring, 4, s);
  const auto vcs = [&](RouterId from, NodeId to, std::uint64_t h) {
    VcMask all = 0;
    for (const RouteCandidate& c : candidates(*routing, head(from, to, h)))
      all |= routing->class_vcs(from, c.port, c.vc_class);
    return all;
  };
  EXPECT_EQ(vcs(2, 5, 0), 0b1111u);
  EXPECT_EQ(vcs(6, 1, 0), 0b0011u);
  EXPECT_EQ(vcs(7, 1, 0), 0b0011u);
  const std::uint64_t crossed = candidates(*routing, head(7, 2)).at(0).head_state;
  EXPECT_EQ(vcs(0, 2, crossed), 0b1100u);
  EXPECT_EQ(candidates(*routing, head(7, 0)).at(0).head_state, 0u)
      << "the next dimension starts from the beginning";
}

TEST(Duato, OffersEveryProductivePortAndOneEscape) {
  const Mesh mesh({4, 4});
  const auto on_mesh = make_routing(mesh, 4, algorithm("duato"));
  EXPECT_EQ(candidates(*on_mesh, head(5, 15, 9)),
            (std::vector<RouteCandidate>{{9, 0, 1, 0, false}, {9, 2, 1, 0, false}, {9, 0, 0, 1, true}}));
  EXPECT_EQ(on_mesh->class_vcs(0, 0, 0), 0b0001u);
  EXPECT_EQ(on_mesh->class_vcs(0, 0, 1), 0b1110u);

  const Torus torus({4, 4});
  const auto on_torus = make_routing(torus, 4, algorithm("duato"));
  // From (3, 0) to (1, 3): both ways in x are minimal, − in y.
  const RouterId from = *torus.node_at(std::vector<std::int64_t>{3, 0});
  const NodeId to = *torus.node_at(std::vector<std::int64_t>{1, 3});
  EXPECT_EQ(candidates(*on_torus, head(from, to)),
            (std::vector<RouteCandidate>{
                {0, 0, 2, 0, false}, {0, 1, 2, 0, false}, {0, 3, 2, 0, false}, {0, 0, 0, 1, true}}));
  EXPECT_EQ(on_torus->class_vcs(0, 0, 2), 0b1100u);
}

TEST(Duato, GoesAroundAFaultyPortAndLosesTheEscapeThere) {
  struct EastFaulty final : PortStatus {
    bool faulty(PortId port) const override { return port == 0; }
  } east;
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 2, algorithm("duato"));
  EXPECT_EQ(candidates(*routing, head(5, 15, 0, &east)), (std::vector<RouteCandidate>{{0, 2, 1, 0, false}}));
}

TEST(WestFirst, GoesWestBeforeAnythingElse) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 1, algorithm("west-first"));
  EXPECT_EQ(candidates(*routing, head(5, 12)), (std::vector<RouteCandidate>{{0, 1, 0, 0, false}}));
  EXPECT_EQ(candidates(*routing, head(5, 2)),
            (std::vector<RouteCandidate>{{0, 0, 0, 0, false}, {0, 3, 0, 0, false}}));
  EXPECT_EQ(refusal(Mesh({4, 4, 4}), 1, algorithm("west-first")),
            "routing.algorithm: west-first is defined for 2 dimensions, not for a 4x4x4 mesh");
}

TEST(Tfar, OffersEveryProductivePort) {
  const Torus torus({4, 4});
  const auto routing = make_routing(torus, 3, algorithm("tfar"));
  EXPECT_EQ(candidates(*routing, head(0, 6)),
            (std::vector<RouteCandidate>{{0, 0, 0, 0, false}, {0, 1, 0, 0, false}, {0, 2, 0, 0, false}}));
  EXPECT_EQ(routing->class_vcs(0, 0, 0), 0b111u);
}

TEST(HybridDor, CrossesTheDimensionsInOrderThroughTheirSwitches) {
  const Kns kns(4, 3);
  const auto routing = make_routing(kns, 2, algorithm("hybrid-dor"));
  const NodeId from = 1 + 4 * 2 + 16 * 3, to = 3 + 4 * 2 + 16 * 0;
  std::vector<std::string> route;
  RouterId here = from;
  while (here != to) {
    here = kns.neighbour(here, candidates(*routing, head(here, to)).at(0).port)->router;
    route.push_back(kns.router_name(here));
  }
  EXPECT_EQ(route,
            (std::vector<std::string>{"switch_d0_2_3", "router_3_2_3", "switch_d2_3_2", "router_3_2_0"}));
}

TEST(RoutingRegistry, NamesWhatIsMissing) {
  EXPECT_EQ(
      refusal(Torus({8, 8}), 1, algorithm("dimension-order")),
      "routing.algorithm: dimension-order on a 8x8 torus needs 2 virtual channels (before and after the "
      "dateline), router.virtual_channels is 1; set it to 2 or more");
  EXPECT_EQ(refusal(Mesh({8, 8}), 1, algorithm("duato")),
            "routing.algorithm: duato on a 8x8 mesh needs 2 virtual channels (1 escape, 1 adaptive), "
            "router.virtual_channels is 1; set it to 2 or more");
  EXPECT_EQ(refusal(Torus({8, 8}), 2, algorithm("duato")),
            "routing.algorithm: duato on a 8x8 torus needs 3 virtual channels (2 escape with a dateline, 1 "
            "adaptive), router.virtual_channels is 2; set it to 3 or more");
  EXPECT_EQ(refusal(Mesh({8, 8}), 1, algorithm("dimension-order")), "accepted");
  EXPECT_EQ(refusal(Mesh({8, 8}), 0, algorithm("dimension-order")),
            "router.virtual_channels: 0; a physical channel has 1 to 64");
  EXPECT_EQ(refusal(Mesh({8, 8}), 65, algorithm("dimension-order")),
            "router.virtual_channels: 65; a physical channel has 1 to 64");
}

TEST(RoutingRegistry, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, algorithm("hybrid-dor")),
            "routing.algorithm: hybrid-dor is defined for kns, not for a 8x8 mesh; for mesh choose one of: "
            "dimension-order, west-first, duato, tfar");
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, algorithm("dimension-ordr")),
            "unknown routing algorithm 'dimension-ordr' (did you mean 'dimension-order'?)");
  RoutingSettings s = algorithm("dimension-order");
  s.dateline = "balanced";
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, s),
            "routing.dateline: balanced applies only to a torus, not to a mesh; remove it");
  s.algorithm = "duato";
  EXPECT_EQ(refusal(Torus({8, 8}), 4, s), "routing.dateline: not an option of duato; remove it");
}

TEST(RoutingRegistry, EveryEntryIsComplete) {
  for (const RoutingEntry& e : routing_algorithms().entries()) {
    EXPECT_FALSE(e.description.empty()) << e.name;
    EXPECT_FALSE(e.topologies.empty()) << e.name;
    EXPECT_STRNE(to_string(e.proof), "") << e.name;
    EXPECT_NE(selections().find(e.default_selection), nullptr) << e.name;
    for (const auto& t : small_networks()) {
      if (!e.applies_to(*t) || (e.name == "west-first" && t->coordinates(0).size() != 2)) continue;
      const RoutingNeeds needs = routing_needs(*t, algorithm(std::string(e.name)));
      EXPECT_EQ(needs.proof, e.proof) << e.name;
      EXPECT_EQ(needs.atomic_vc_reallocation, e.atomic_vc_reallocation) << e.name;
    }
  }
}

TEST(VcClasses, SpreadEvenlyGivesTheRestToTheFirst) {
  EXPECT_EQ(spread_evenly(5, 2), (std::vector<VcMask>{0b00111, 0b11000}));
  EXPECT_EQ(spread_evenly(3, 3), (std::vector<VcMask>{1, 2, 4}));
  EXPECT_EQ(spread_evenly(64, 1), (std::vector<VcMask>{~VcMask{0}}));
  EXPECT_EQ(spread_evenly(8, 3), (std::vector<VcMask>{0b00000111, 0b00111000, 0b11000000}));
  EXPECT_EQ(singles_then_rest(4, 1), (std::vector<VcMask>{1, 0b1110}));
  EXPECT_EQ(singles_then_rest(64, 2), (std::vector<VcMask>{1, 2, ~VcMask{0} << 2}));
}

}  // namespace flitmend
