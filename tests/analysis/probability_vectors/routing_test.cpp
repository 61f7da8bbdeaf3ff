// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "analysis/probability_vectors/bounds.h"
#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/statistics.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

using test::message_of;
using Node = KaryCube::Node;

struct Example {
  KaryCube cube{3};
  std::vector<std::string> nodes = {"011", "100", "110", "120", "220"};
  KaryCubeFaults faults = named_faults(cube, nodes, {});
  ProbabilityVectorTable table{cube, PvArithmetic::plain, faults};

  PvRoute route(const char* from, const char* to, const PvRouting& routing = {}) {
    return route_one(table, routing, faults.count(), cube.node_of(from), cube.node_of(to), 1);
  }
};

PvExperiment published() {
  PvExperiment e;
  e.k = 8;
  e.faulty_nodes = 153;
  e.pairs = 200000;
  e.fault_sets = 200;
  return e;
}

}  // namespace

TEST(Route, IsThatOfThePublishedExample) {
  Example x;
  const PvRoute route = x.route("200", "222");
  EXPECT_EQ(route.status, PvStatus::delivered);
  EXPECT_EQ(route.hops, 2u);
  std::vector<std::string> labels;
  for (Node node : route.path) labels.push_back(x.cube.label(node));
  EXPECT_EQ(labels, (std::vector<std::string>{"200", "202", "222"}));
}

TEST(Route, IsMinimalWithoutFaults) {
  const KaryCube cube(5);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, {});
  PvRouter router(table, {}, 0);
  for (Node a = 0; a < cube.node_count(); a += 3)
    for (Node b = 0; b < cube.node_count(); ++b) {
      const PvRoute route = router.route(a, b, nullptr);
      EXPECT_EQ(route.status, PvStatus::delivered);
      EXPECT_EQ(route.hops, cube.lee_distance(a, b));
    }
}

TEST(Route, GoesRoundAFaultyLink) {
  const KaryCube cube(4);
  const std::vector<std::string> links = {"000-001"};
  const KaryCubeFaults faults = named_faults(cube, {}, links);
  EXPECT_EQ(faults.links.size(), 1u);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
  const PvRoute route = route_one(table, {}, faults.count(), 0, 1, 1);
  EXPECT_EQ(route.status, PvStatus::delivered);
  EXPECT_EQ(route.hops, 3u);
  // For k = 2 the name means both parallel links.
  const KaryCube two(2);
  EXPECT_EQ(named_faults(two, {}, links).links.size(), 2u);
}

TEST(Route, NeverLeavesTheHealthyNetworkAndNeverForgets) {
  RandomStream random(5, RandomPurpose::test);
  for (const auto memory : {PvMemory::none, PvMemory::no_return, PvMemory::visited})
    for (const auto ties : {PvTies::lowest, PvTies::random})
      for (unsigned trial = 0; trial < 10; ++trial) {
        const KaryCube cube(2 + random.below(5), 1 + random.below(3));
        if (cube.node_count() < 4) continue;
        const KaryCubeFaults faults =
            random_faults(cube, random.below(cube.node_count() / 2), random.below(3), random);
        const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
        PvRouting routing;
        routing.memory = memory;
        routing.ties = ties;
        PvRouter router(table, routing, faults.count());
        for (unsigned pair = 0; pair < 200; ++pair) {
          const Node a = random.below(cube.node_count()), b = random.below(cube.node_count());
          if (table.faulty(a) || table.faulty(b)) continue;
          const PvRoute route = router.route(a, b, &random, true);
          ASSERT_EQ(route.path.size(), route.hops + 1);
          EXPECT_EQ(route.path.front(), a);
          EXPECT_EQ(route.path.back() == b, route.status == PvStatus::delivered);
          EXPECT_LE(route.hops, router.hop_limit(cube.lee_distance(a, b)));
          if (route.status == PvStatus::looping) {
            EXPECT_EQ(route.hops, router.hop_limit(cube.lee_distance(a, b)));
          }
          for (std::size_t h = 1; h < route.path.size(); ++h) {
            bool linked = false;
            for (unsigned port = 0; port < cube.ports(); ++port)
              linked |= table.usable_ports(route.path[h - 1]) >> port & 1 &&
                        cube.neighbour(route.path[h - 1], port) == route.path[h];
            EXPECT_TRUE(linked);
            if (memory == PvMemory::no_return && h > 1) {
              EXPECT_NE(route.path[h], route.path[h - 2]);
            }
            if (memory == PvMemory::visited) {
              EXPECT_EQ(std::count(route.path.begin(), route.path.end(), route.path[h]), 1);
            }
          }
        }
      }
}

TEST(Route, StopsEarlyOnlyWhereItWouldLoopForEver) {
  RandomStream random(6, RandomPurpose::test);
  unsigned looping = 0;
  for (unsigned trial = 0; trial < 30; ++trial) {
    const KaryCube cube(2 + random.below(6));
    const KaryCubeFaults faults = random_faults(cube, cube.node_count() * 2 / 5, 0, random);
    const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
    for (const auto memory : {PvMemory::none, PvMemory::no_return}) {
      PvRouting routing;
      routing.memory = memory;
      PvRouter router(table, routing, faults.count());
      for (unsigned pair = 0; pair < 300; ++pair) {
        const Node a = random.below(cube.node_count()), b = random.below(cube.node_count());
        if (table.faulty(a) || table.faulty(b)) continue;
        const PvRoute quick = router.route(a, b, nullptr), whole = router.route(a, b, nullptr, true);
        EXPECT_EQ(quick.status, whole.status);
        EXPECT_EQ(quick.hops, whole.hops);
        looping += whole.status == PvStatus::looping;
      }
    }
  }
  EXPECT_GT(looping, 100u);
}

TEST(Route, RefusesFaultyEnds) {
  Example x;
  EXPECT_EQ(message_of([&] { x.route("011", "222"); }),
            "probability routing: the source 011 is faulty; both ends of a route must be healthy");
  EXPECT_EQ(message_of([&] { x.route("222", "220"); }),
            "probability routing: the destination 220 is faulty; both ends of a route must be healthy");
}

TEST(Route, ToItselfTakesNoHop) {
  Example x;
  EXPECT_EQ(x.route("222", "222").hops, 0u);
  EXPECT_EQ(x.route("222", "222").status, PvStatus::delivered);
}

TEST(Faults, NamedOnesAreChecked) {
  const KaryCube cube(3);
  const auto links = [&](const char* name) {
    return message_of([&] { named_faults(cube, {}, std::vector<std::string>{name}); });
  };
  EXPECT_EQ(links("000"), "link '000': a link is two nodes with a dash between them, like 000-001");
  EXPECT_EQ(links("000-011"), "link '000-011': the two nodes are not neighbours in the 3-ary 3-cube");
  EXPECT_EQ(links("000-000"), "link '000-000': the two nodes are not neighbours in the 3-ary 3-cube");
  const KaryCube two(2, 1);
  EXPECT_EQ(message_of([&] {
              named_faults(two, std::vector<std::string>{"0", "1"}, {});
            }),
            "probability vectors: every node of the 2-ary 1-cube is faulty; at least one must be healthy");
  const std::vector<std::string> twice = {"001", "001"}, both = {"000-001", "001-000"};
  EXPECT_EQ(named_faults(cube, twice, both).count(), 2u);
}

TEST(Faults, RandomOnesAreDistinctAndUniform) {
  const KaryCube cube(3);
  RandomStream random(7, RandomPurpose::test);
  std::vector<int> hits(cube.node_count());
  for (int i = 0; i < 2700; ++i) {
    const KaryCubeFaults f = random_faults(cube, 10, 20, random);
    std::vector<bool> seen(cube.node_count());
    for (Node node : f.nodes) {
      EXPECT_FALSE(seen[node]);
      seen[node] = true;
      ++hits[node];
    }
    EXPECT_EQ(f.nodes.size(), 10u);
    EXPECT_EQ(f.links.size(), 20u);
  }
  for (int h : hits) EXPECT_NEAR(h, 1000, 130);
  EXPECT_EQ(random_faults(cube, 25, 81, random).links.size(), 81u);
  EXPECT_EQ(message_of([&] { random_faults(cube, 26, 0, random); }),
            "probability vectors: 26 faulty nodes leave fewer than two of the 27 nodes of the 3-ary 3-cube "
            "healthy; give at most 25");
  EXPECT_EQ(message_of([&] { random_faults(cube, 0, 82, random); }),
            "probability vectors: 82 faulty links, but the 3-ary 3-cube has 81 links");
}

TEST(Statistics, ReproduceThePublishedShares) {
  const PvStatistics s = probability_routing_statistics(published(), 1);
  EXPECT_EQ(s.all.pairs, 200000u);
  EXPECT_NEAR(s.all.share(s.all.delivered), .940, .010);
  EXPECT_NEAR(s.all.share(s.all.within_4), .890, .010);
  EXPECT_NEAR(s.all.share(s.all.minimal), .644, .010);
  // At l = 2, h = 1 the only shortest path has one intermediate node, healthy with probability 1 − 153/510.
  for (const PvDistanceCounts& d : s.by_distance)
    if (d.lee == 2 && d.hamming == 1) {
      EXPECT_NEAR(d.counts.share(d.counts.minimal), .70, .03);
    }
  EXPECT_EQ(s.all.delivered + s.all.failed + s.all.looping, s.all.pairs);
  EXPECT_LT(s.delivered_within.value().reach(.94), .02);
}

// [AlSadi03 claim 1], at every distance with enough pairs.
TEST(Statistics, AreNeverBelowTheoremOne) {
  const PvStatistics s = probability_routing_statistics(published(), 1);
  EXPECT_EQ(s.by_distance.size(), 21u);
  for (const PvDistanceCounts& d : s.by_distance) {
    if (d.counts.pairs < 500) continue;
    EXPECT_GE(d.counts.share(d.counts.within_4), theorem1_bound(8, 3, 153, d.lee, d.hamming) - .01)
        << d.lee << ", " << d.hamming;
  }
}

TEST(Statistics, WithoutMemoryMessagesGoBackAndForth) {
  PvExperiment e = published();
  e.routing.memory = PvMemory::none;
  const PvStatistics s = probability_routing_statistics(e, 1);
  EXPECT_NEAR(s.all.share(s.all.delivered), .738, .015);
}

TEST(Statistics, LoopingStaysRareInTheSmallCube) {
  for (std::uint32_t faults : {3u, 5u, 8u, 10u}) {
    PvExperiment e = published();
    e.k = 3;
    e.faulty_nodes = faults;
    e.pairs = 60000;
    e.fault_sets = 600;
    const PvStatistics s = probability_routing_statistics(e, 1);
    EXPECT_LT(s.all.share(s.all.looping), .005) << faults;
  }
}

TEST(Statistics, DoNotDependOnTheNumberOfThreads) {
  PvExperiment e = published();
  e.k = 5;
  e.faulty_nodes = 25;
  e.faulty_links = 9;
  e.pairs = 5003;
  e.fault_sets = 17;
  e.routing.ties = PvTies::random;
  const PvStatistics one = probability_routing_statistics(e, 3, 1);
  EXPECT_EQ(one.all.pairs, 5003u);
  for (unsigned jobs : {2u, 5u}) {
    const PvStatistics many = probability_routing_statistics(e, 3, jobs);
    EXPECT_EQ(many.all, one.all);
    EXPECT_EQ(many.deviation_percent, one.deviation_percent);
    EXPECT_EQ(many.delivered_within, one.delivered_within);
    ASSERT_EQ(many.by_distance.size(), one.by_distance.size());
    for (std::size_t i = 0; i < one.by_distance.size(); ++i)
      EXPECT_EQ(many.by_distance[i].counts, one.by_distance[i].counts);
  }
  EXPECT_NE(probability_routing_statistics(e, 4, 1).all, one.all);
}

TEST(Statistics, WithoutFaultsEveryRouteIsMinimal) {
  PvExperiment e = published();
  e.faulty_nodes = 0;
  e.pairs = 20000;
  const PvStatistics s = probability_routing_statistics(e, 1);
  EXPECT_EQ(s.all.minimal, 20000u);
  EXPECT_EQ(s.deviation_percent, 0);
  EXPECT_EQ(s.all.disconnected, 0u);
  EXPECT_NEAR(s.all.mean_hops().value(), 6 * 512.0 / 511, .05);
}

TEST(Statistics, KnowNoMeanOfNothing) {
  PvExperiment e = published();
  e.k = 3;
  e.faulty_nodes = 0;
  e.faulty_links = 81;
  e.pairs = 100;
  const PvStatistics s = probability_routing_statistics(e, 1);
  EXPECT_EQ(s.all.delivered, 0u);
  EXPECT_EQ(s.all.mean_hops(), std::nullopt);
  EXPECT_EQ(s.deviation_percent, std::nullopt);
  EXPECT_GT(s.delivered_within.value().high, .03);  // 100 fault sets, none delivers
}

TEST(Statistics, KnowNoIntervalOfOneFaultSet) {
  PvExperiment e = published();
  e.pairs = 1000;
  e.fault_sets = 1;
  EXPECT_EQ(probability_routing_statistics(e, 1).delivered_within, std::nullopt);
  e.fault_sets = 1000;
  e.pairs = 1;
  EXPECT_EQ(probability_routing_statistics(e, 1).delivered_within, std::nullopt);
  // Even if every message arrives, there may be fault sets in which one does not.
  e.faulty_nodes = 0;
  e.pairs = 1000;
  e.fault_sets = 50;
  const PvStatistics all = probability_routing_statistics(e, 1);
  EXPECT_EQ(all.all.delivered, 1000u);
  EXPECT_LT(all.delivered_within.value().low, .95);
}

TEST(Statistics, OfBatchesAreThoseOfTheWhole) {
  PvExperiment e = published();
  e.k = 4;
  e.faulty_nodes = 12;
  e.pairs = 3000;
  e.fault_sets = 30;
  const PvStatistics whole = probability_routing_statistics(e, 5);
  PvCounts sum;
  e.pairs = 1000;
  e.fault_sets = 10;
  for (e.first_fault_set = 0; e.first_fault_set < 30; e.first_fault_set += 10)
    sum += probability_routing_statistics(e, 5).all;
  EXPECT_EQ(sum, whole.all);
}

TEST(Statistics, DisconnectedPairsAreNeverDelivered) {
  PvExperiment e = published();
  e.k = 4;
  e.faulty_nodes = 44;
  e.pairs = 20000;
  const PvStatistics s = probability_routing_statistics(e, 1);
  EXPECT_GT(s.all.disconnected, 1000u);
  EXPECT_LE(s.all.delivered, s.all.pairs - s.all.disconnected);
}

TEST(Statistics, LearningFromLoopsTurnsLoopsIntoFailures) {
  PvExperiment e = published();
  e.k = 4;
  e.faulty_nodes = 30;
  e.pairs = 20000;
  e.fault_sets = 20;
  const PvStatistics forgets = probability_routing_statistics(e, 1);
  e.routing.learn_from_loops = true;
  const PvStatistics learns = probability_routing_statistics(e, 1);
  EXPECT_LT(learns.all.looping, forgets.all.looping);
}

TEST(Route, LoopsAfterThePrintedLimitUnlessAnotherIsAskedFor) {
  PvRouting two_hops;
  two_hops.loop_limit = PvLoopLimit::two_hops;
  for (const auto& [k, printed, other] :
       {std::tuple{2u, 0u, 10u}, {3u, 5u, 10u}, {4u, 10u, 10u}, {8u, 30u, 30u}}) {
    EXPECT_EQ(PvRouter::detour_limit({}, KaryCube(k), 5), printed) << k;
    EXPECT_EQ(PvRouter::detour_limit(two_hops, KaryCube(k), 5), other) << k;
  }
  // In the 2-ary 3-cube, 000 to 011 past two faulty nodes is a detour of two hops.
  const KaryCube cube(2);
  const std::vector<std::string> nodes = {"001", "010"};
  const KaryCubeFaults faults = named_faults(cube, nodes, {});
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
  EXPECT_EQ(route_one(table, {}, 2, cube.node_of("000"), cube.node_of("011"), 1).status, PvStatus::looping);
  EXPECT_EQ(route_one(table, two_hops, 2, cube.node_of("000"), cube.node_of("011"), 1).hops, 4u);
}

TEST(Route, LearnsNothingOfANeighbourInReach) {
  const KaryCube cube(5);
  ProbabilityVectorTable table(cube, PvArithmetic::plain, {});
  table.add_unreachable(cube.node_of("000"), cube.node_of("001"));
  EXPECT_FALSE(table.known_unreachable(cube.node_of("000"), cube.node_of("001")));
  EXPECT_EQ(table.vector(cube.node_of("000"))[0], 0);
  table.add_unreachable(cube.node_of("000"), cube.node_of("002"));
  EXPECT_TRUE(table.known_unreachable(cube.node_of("000"), cube.node_of("002")));
  EXPECT_EQ(table.vector(cube.node_of("000"))[0], 1 / 6.);
}

TEST(Statistics, DrawsOnlyTheDistanceThatIsWanted) {
  PvExperiment e = published();
  e.only_lee = 6;
  e.only_hamming = 3;
  e.pairs = 1000;
  const PvStatistics s = probability_routing_statistics(e, 1);
  ASSERT_EQ(s.by_distance.size(), 1u);
  EXPECT_EQ(s.by_distance[0].lee, 6u);
  EXPECT_EQ(s.by_distance[0].hamming, 3u);
}

TEST(Statistics, RefuseWhatTheyCannotDraw) {
  const auto run = [](auto&& change) {
    return message_of([&] {
      PvExperiment e = published();
      change(e);
      probability_routing_statistics(e, 1);
    });
  };
  EXPECT_EQ(run([](PvExperiment& e) { e.pairs = 0; }),
            "probability routing: 0 pairs requested; draw at least one");
  EXPECT_EQ(run([](PvExperiment& e) { e.fault_sets = 0; }),
            "probability routing: 0 fault sets requested; draw at least one");
  EXPECT_EQ(run([](PvExperiment& e) { e.faulty_nodes = 511; }),
            "probability vectors: 511 faulty nodes leave fewer than two of the 512 nodes of the 8-ary 3-cube "
            "healthy; give at most 510");
  EXPECT_EQ(run([](PvExperiment& e) { e.faulty_links = 1537; }),
            "probability vectors: 1537 faulty links, but the 8-ary 3-cube has 1536 links");
  EXPECT_EQ(run([](PvExperiment& e) {
              e.k = 160;
              e.pairs = 1;
            }),
            "probability routing: the vectors of the 160-ary 3-cube have more than 2^27 elements (1 GiB); "
            "make k or n "
            "smaller");
  EXPECT_EQ(
      run([](PvExperiment& e) { e.pairs = 1'000'000'000'000; }),
      "probability routing: 1000000000000 pairs over 200 fault sets of the 8-ary 3-cube would take hours; "
      "draw fewer");
  EXPECT_EQ(
      run([](PvExperiment& e) { e.pairs = e.fault_sets = 100'000'000; }),
      "probability routing: 100000000 pairs over 100000000 fault sets of the 8-ary 3-cube would take hours; "
      "draw fewer");
  EXPECT_EQ(
      run([](PvExperiment& e) {
        e.routing.ties = PvTies::random;
        e.routing.detour_limit = 100'000'000;
      }),
      "probability routing: 200000 pairs over 200 fault sets of the 8-ary 3-cube would take hours; draw "
      "fewer");
  EXPECT_EQ(run([](PvExperiment& e) { e.routing.detour_limit = 100'000'001; }),
            "probability routing: a detour limit of 100000001 hops; at most 100000000 are supported");
}

}  // namespace flitmend
