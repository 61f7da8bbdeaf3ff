// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/setting_values.h"
#include "contracts/every_routing_algorithm.h"
#include "protocols/networks.h"
#include "protocols/routing/partitioned_routing.h"
#include "topologies/hypercube.h"
#include "topologies/kns.h"
#include "topologies/mesh.h"
#include "topologies/torus.h"

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

}  // namespace

INSTANTIATE_TEST_SUITE_P(Registered, EveryRoutingAlgorithm,
                         testing::ValuesIn(registered_algorithms_on(topologies().entries())),
                         routing_test_name);

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
  RoutingSettings s = algorithm("dimension-order");
  s.options.set("dateline", "strict");
  const auto routing = make_routing(ring, 4, s);
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
  s.options.set("dateline", "balanced");
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
    s.options.set("dateline", dateline);
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

TEST(DimensionOrder, RandomTiesLoadBothDirectionsAlike) {
  // Ring of 8, all pairs, 128 hops: Σ_{L=1..3} L = 6 hops per source each way, and 4 hops at the tie.
  const Torus ring({8});
  const auto hops_east = [&](const char* ties) {
    RoutingSettings s = algorithm("dimension-order");
    s.options.set("ties", ties);
    const auto routing = make_routing(ring, 2, s);
    double east = 0;
    for (NodeId a = 0; a < 8; ++a)
      for (NodeId b = 0; b < 8; ++b) {
        const auto starts = routing->initial_states(a, b);
        for (std::uint64_t h : starts)
          for (RouterId here = a; here != b;) {
            const RouteCandidate c = candidates(*routing, head(here, b, h)).at(0);
            east += (c.port == 0) / static_cast<double>(starts.size());
            h = c.head_state;
            here = ring.neighbour(here, c.port)->router;
          }
      }
    return east;
  };
  EXPECT_DOUBLE_EQ(hops_east("plus"), 8 * (6 + 4));
  EXPECT_DOUBLE_EQ(hops_east("random"), 8 * (6 + 2));
}

TEST(Duato, TheEscapeGoesInTheDirectionThatWasDrawn) {
  const Torus torus({4, 4});
  const auto routing = make_routing(torus, 3, algorithm("duato"));
  const NodeId to = *torus.node_at(std::vector<std::int64_t>{2, 2});
  const auto starts = routing->initial_states(0, to);
  ASSERT_EQ(starts.size(), 4u);
  std::multiset<std::string> ways;
  for (std::uint64_t h : starts) {
    const auto all = candidates(*routing, head(0, to, h));
    ASSERT_EQ(all.size(), 5u);
    for (unsigned i = 0; i < 4; ++i) EXPECT_FALSE(all[i].escape);
    EXPECT_TRUE(all[4].escape);
    ways.insert(torus.port_name(0, all[4].port));
  }
  EXPECT_EQ(ways, (std::multiset<std::string>{"east", "east", "west", "west"}));
}

TEST(DimensionOrder, WithoutDatelineOneVirtualChannelIsEnoughAndARingCanDeadlock) {
  RoutingSettings s = algorithm("dimension-order");
  s.options.set("dateline", "none");
  const Torus four({4}), three({3, 3});
  EXPECT_EQ(make_routing(four, 1, s)->classes(), 1u);
  EXPECT_EQ(routing_properties(four, s).proof, DeadlockProof::none);
  EXPECT_EQ(routing_properties(three, s).proof, DeadlockProof::dependency_graph);
}

TEST(DimensionOrder, HalvesLetsMessagesThatNeverCrossTakeAnyVirtualChannel) {
  const Torus ring({8});
  RoutingSettings s = algorithm("dimension-order");
  s.options.set("dateline", "halves");
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
  EXPECT_EQ(candidates(*on_mesh, head(5, 15)),
            (std::vector<RouteCandidate>{{0, 0, 1, 0, false}, {0, 2, 1, 0, false}, {0, 0, 0, 1, true}}));
  EXPECT_EQ(on_mesh->class_vcs(0, 0, 0), 0b0001u);
  EXPECT_EQ(on_mesh->class_vcs(0, 0, 1), 0b1110u);

  const Torus torus({4, 4});
  const auto on_torus = make_routing(torus, 4, algorithm("duato"));
  // From (3, 0) to (1, 3): both directions in x are minimal, − in y.
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

/// The only neighbour of this router that is alive is the one at that port.
struct OnlyHealthy final : PortStatus {
  explicit OnlyHealthy(std::set<PortId> healthy) : ports(std::move(healthy)) {}
  bool faulty(PortId port) const override { return !ports.contains(port); }
  std::set<PortId> ports;
};

TEST(Duato, MisroutesOnlyWhereAFaultLeavesNoProductivePort) {
  constexpr std::uint64_t once = std::uint64_t{1} << 60;
  const Mesh mesh({4, 4});
  RoutingSettings s = algorithm("duato");
  s.options.set("misroutes", 1);
  EXPECT_EQ(refusal(mesh, 2, s),
            "routing.misroutes: a message that returns from an escape channel after a misroute can deadlock; "
            "set routing.escape to terminal");
  s.options.set("escape", "terminal");
  constexpr std::uint64_t on_escape = std::uint64_t{1} << 63;
  const auto routing = make_routing(mesh, 2, s);
  // From (1, 1) to (3, 1): only east is productive.
  const OnlyHealthy all_but_east({1, 2, 3});
  const std::vector<RouteCandidate> sideways{{.head_state = once, .port = 2, .vc_class = 1},
                                             {.head_state = once, .port = 3, .vc_class = 1}};
  EXPECT_EQ(candidates(*routing, head(5, 7, 0, &all_but_east)), sideways);
  EXPECT_EQ(candidates(*routing, head(5, 7, once, &all_but_east)), (std::vector<RouteCandidate>{}))
      << "one misroute, then it waits";
  const OnlyHealthy west({1});
  EXPECT_EQ(candidates(*routing, head(5, 7, 0, &west)),
            (std::vector<RouteCandidate>{{.head_state = once, .port = 1, .vc_class = 1}}));
  // It came from the south: not back, where there is another port.
  RouteRequest from_south = head(5, 7, 0, &all_but_east);
  from_south.arrival_port = 3;
  EXPECT_EQ(candidates(*routing, from_south), (std::vector<RouteCandidate>{sideways[0]}));
  // Misrouted north of (1, 1): south is productive, and leads back.
  RouteRequest misrouted = head(9, 7, once);
  misrouted.arrival_port = 3;
  EXPECT_EQ(candidates(*routing, misrouted),
            (std::vector<RouteCandidate>{
                {.head_state = once, .port = 0, .vc_class = 1},
                {.head_state = once | on_escape, .port = 0, .preference = 1, .escape = true}}));

  const Hypercube cube(3);
  const auto on_cube = make_routing(cube, 2, s);
  const OnlyHealthy all_but_0({1, 2});
  EXPECT_EQ(candidates(*on_cube, head(0, 1, 0, &all_but_0)),
            (std::vector<RouteCandidate>{{.head_state = once, .port = 1, .vc_class = 1},
                                         {.head_state = once, .port = 2, .vc_class = 1}}));
}

TEST(Duato, StaysOnATerminalEscapeChannel) {
  const Mesh mesh({4, 4});
  RoutingSettings s = algorithm("duato");
  s.options.set("escape", "terminal");
  const auto routing = make_routing(mesh, 2, s);
  const auto first = candidates(*routing, head(5, 15));
  ASSERT_EQ(first.size(), 3u);
  ASSERT_TRUE(first[2].escape);
  const std::uint64_t on_escape = first[2].head_state;
  EXPECT_NE(on_escape, 0u);
  EXPECT_EQ(
      candidates(*routing, head(6, 15, on_escape)),
      (std::vector<RouteCandidate>{{.head_state = on_escape, .port = 0, .preference = 1, .escape = true}}));
  const OnlyHealthy north({2});
  EXPECT_TRUE(candidates(*routing, head(6, 15, on_escape, &north)).empty());
}

TEST(WestFirst, GoesWestBeforeAnythingElse) {
  const Mesh mesh({4, 4});
  const auto routing = make_routing(mesh, 1, algorithm("west-first"));
  EXPECT_EQ(candidates(*routing, head(5, 12)), (std::vector<RouteCandidate>{{0, 1, 0, 0, false}}));
  EXPECT_EQ(candidates(*routing, head(5, 2)),
            (std::vector<RouteCandidate>{{0, 0, 0, 0, false}, {0, 3, 0, 0, false}}));
  EXPECT_EQ(
      refusal(Mesh({4, 4, 4}), 1, algorithm("west-first"))
          .find("routing.algorithm: west-first is defined for mesh of 2 dimensions, not for a 4x4x4 mesh; "
                "choose one of: dimension-order"),
      0u);
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
      "routing.algorithm: dimension-order on an 8x8 torus needs 2 virtual channels (before the dateline, "
      "after the dateline), router.virtual_channels is 1; set it to 2 or more");
  EXPECT_EQ(refusal(Mesh({8, 8}), 1, algorithm("duato")),
            "routing.algorithm: duato on an 8x8 mesh needs 2 virtual channels (escape, adaptive), "
            "router.virtual_channels is 1; set it to 2 or more");
  EXPECT_EQ(
      refusal(Torus({8, 8}), 2, algorithm("duato")),
      "routing.algorithm: duato on an 8x8 torus needs 3 virtual channels (escape before the "
      "dateline, escape after the dateline, adaptive), router.virtual_channels is 2; set it to 3 or more");
  EXPECT_EQ(refusal(Mesh({8, 8}), 1, algorithm("dimension-order")), "accepted");
  EXPECT_EQ(refusal(Mesh({8, 8}), 0, algorithm("dimension-order")),
            "router.virtual_channels: 0; a physical channel has 1 to 64");
  EXPECT_EQ(refusal(Mesh({8, 8}), 65, algorithm("dimension-order")),
            "router.virtual_channels: 65; a physical channel has 1 to 64");
}

TEST(RoutingRegistry, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, algorithm("hybrid-dor"))
                .find("routing.algorithm: hybrid-dor is defined for kns, not for an 8x8 mesh; choose one of: "
                      "dimension-order"),
            0u);
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, algorithm("dimension-ordr")),
            "unknown routing algorithm 'dimension-ordr' (did you mean 'dimension-order'?)");
  RoutingSettings s = algorithm("dimension-order");
  s.options.set("dateline", "strict");
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, s),
            "routing.dateline: not an option of dimension-order on an 8x8 mesh; remove it");
  s.algorithm = "duato";
  EXPECT_EQ(refusal(Torus({8, 8}), 4, s), "routing.dateline: not an option of duato; remove it");
}

TEST(RoutingRegistry, OptionsAreKeysOfTheSectionWithTheirDefaults) {
  RoutingSettings s;
  const std::vector<SettingValue> keys = values_of(s);
  for (const OptionKey* option : routing_options()) {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const SettingValue& k) { return k.name == option->name(); });
    ASSERT_NE(key, keys.end()) << option->name();
    EXPECT_EQ(std::count_if(keys.begin(), keys.end(),
                            [&](const SettingValue& k) { return k.name == option->name(); }),
              1)
        << option->name();
    if (const auto* const number = std::get_if<OptionKey::Number>(&option->values)) {
      EXPECT_EQ(*std::get<std::int64_t*>(key->value), number->initial);
      EXPECT_LE(number->range.min, number->initial) << option->name();
      EXPECT_GE(number->range.max, number->initial) << option->name();
    } else if (std::holds_alternative<OptionKey::Text>(option->values)) {
      EXPECT_EQ(*std::get<std::string*>(key->value), "") << option->name();
    } else if (const auto* const flag = std::get_if<OptionKey::Flag>(&option->values)) {
      EXPECT_EQ(*std::get<bool*>(key->value), flag->initial) << option->name();
    } else {
      const auto& word = std::get<OptionKey::Word>(option->values);
      EXPECT_EQ(*std::get<std::string*>(key->value), word.initial);
      EXPECT_TRUE(std::any_of(word.choices.begin(), word.choices.end(), [&](const Choice& c) {
        return c.name == word.initial;
      })) << option->name();
    }
  }
  s.options.set("no_such_option", 1);
  EXPECT_EQ(refusal(Mesh({8, 8}), 4, s),
            "routing.no_such_option: not an option of dimension-order; remove it");
}

TEST(RoutingRegistry, EveryTopologyHasAnAlgorithmThatCannotDeadlock) {
  for (const TopologyEntry& topology : topologies().entries())
    for (const auto& network : make_examples(topology)) {
      bool served = false;
      for (const RoutingEntry& entry : routing_algorithms().entries())
        served |= entry.applies_to(*network) && entry.properties(*network, {}).proof != DeadlockProof::none;
      EXPECT_TRUE(served) << network->description();
    }
}

TEST(RoutingRegistry, SaysForWhichTopologiesAnAlgorithmIsDefined) {
  const RoutingEntry& west_first = routing_algorithms().at("west-first");
  EXPECT_EQ(west_first.topologies(), std::vector<std::string_view>{"mesh"});
  EXPECT_EQ(west_first.dimensions_text(), "of 2 dimensions");
  EXPECT_TRUE(west_first.applies_to(Mesh({3, 4})));
  EXPECT_FALSE(west_first.applies_to(Mesh({3, 4, 2})));
  EXPECT_FALSE(west_first.applies_to(Torus({3, 4})));
  RoutingEntry planes = west_first;
  planes.dimensions = {.min = 2, .max = 3};
  EXPECT_EQ(planes.dimensions_text(), "of 2 to 3 dimensions");
  planes.dimensions = {.min = 3};
  EXPECT_EQ(planes.dimensions_text(), "of at least 3 dimensions");
  EXPECT_EQ(routing_algorithms().at("duato").dimensions_text(), "");
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
