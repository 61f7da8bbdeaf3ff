// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/probability_vectors.h"

#include <gtest/gtest.h>

#include <array>

#include "protocols/routing/probability_vector_table.h"

namespace flitmend {
namespace {

using Node = KaryCube::Node;

KaryCubeFaults example(const KaryCube& cube) {
  KaryCubeFaults faults;
  for (const char* label : {"011", "100", "110", "120", "220"}) faults.nodes.push_back(cube.node_of(label));
  return faults;
}

KaryCubeFaults drawn(const KaryCube& cube, unsigned nodes, unsigned links, RandomStream& random) {
  KaryCubeFaults faults;
  std::vector<bool> faulty(cube.node_count());
  while (faults.nodes.size() < nodes)
    if (const Node node = random.below(cube.node_count()); !faulty[node]) {
      faulty[node] = true;
      faults.nodes.push_back(node);
    }
  for (unsigned l = 0; l < links; ++l)
    faults.links.push_back({random.below(cube.node_count()), random.below(cube.n())});
  return faults;
}

}  // namespace

TEST(ProbabilityVectors, GiveThePublishedExampleToSixDigits) {
  const KaryCube cube(3);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, example(cube));
  const std::vector<std::pair<const char*, double>> p2 = {
      {"000", .086420}, {"001", .049624}, {"002", .028947}, {"010", .151235}, {"012", .048611},
      {"020", .113426}, {"021", .066165}, {"022", .038596}, {"101", .066165}, {"102", .049624},
      {"111", .115789}, {"112", .066165}, {"121", .077193}, {"122", .057894}, {"200", .097222},
      {"201", .038596}, {"202", .028356}, {"210", .129630}, {"211", .064815}, {"212", .038596},
      {"221", .057894}, {"222", .042535}};
  EXPECT_EQ(p2.size(), 22u);
  for (const auto& [label, value] : p2)
    EXPECT_NEAR(table.vector(cube.node_of(label))[1], value, 5e-7) << label;
  EXPECT_NEAR(table.vector(cube.node_of("000"))[2], 2.395667e-06, 5e-13);
  EXPECT_NEAR(table.vector(cube.node_of("202"))[2], 8.849089e-09, 5e-16);
  EXPECT_DOUBLE_EQ(table.vector(cube.node_of("000"))[0], 1.0 / 6);
  EXPECT_DOUBLE_EQ(table.vector(cube.node_of("010"))[0], 2.0 / 6);
}

TEST(ProbabilityVectors, HaveTheWeightsOfTheSpecification) {
  const ProbabilityVectorRule three(8, 3, PvArithmetic::plain);
  EXPECT_EQ(three.elements(), 13u);
  EXPECT_DOUBLE_EQ(three.weight(2), .5);
  for (unsigned l = 3; l <= 13; ++l) EXPECT_EQ(three.weight(l), 1.0);
  const ProbabilityVectorRule two(5, 2, PvArithmetic::plain);
  EXPECT_EQ(two.elements(), 5u);
  EXPECT_DOUBLE_EQ(two.weight(1), 1.0 / 3);
  EXPECT_EQ(two.weight(2), 1.0);
}

TEST(ProbabilityVectors, AgreeInBothArithmeticsWhereDoublesReach) {
  RandomStream random(1, RandomPurpose::test);
  for (const auto& [k, n] : {std::pair{2u, 3u}, {3u, 3u}, {6u, 3u}, {5u, 2u}, {7u, 1u}}) {
    const KaryCube cube(k, n);
    const auto faults = drawn(cube, cube.node_count() / 5, 2, random);
    const ProbabilityVectorTable plain(cube, PvArithmetic::plain, faults);
    const ProbabilityVectorTable logs(cube, PvArithmetic::logarithm, faults);
    for (Node node = 0; node < cube.node_count(); ++node)
      for (unsigned l = 0; l < plain.rule().elements() && !plain.faulty(node); ++l) {
        const double p = plain.vector(node)[l], other = logs.rule().probability(logs.vector(node)[l]);
        EXPECT_NEAR(p, other, 1e-9 * p + 1e-15);  // 1 − R is exact to 2^-53 only
        EXPECT_GE(p, 0.0);
        EXPECT_LE(p, 1.0);
      }
  }
}

TEST(ProbabilityVectors, LogarithmsKeepApartWhatTiesInDouble) {
  const KaryCube cube(8);
  KaryCubeFaults faults;
  faults.nodes = {0};
  const ProbabilityVectorTable plain(cube, PvArithmetic::plain, faults);
  const ProbabilityVectorTable logs(cube, PvArithmetic::logarithm, faults);
  const Node near = cube.node_of("001"), far = cube.node_of("444");
  EXPECT_EQ(plain.vector(near)[9], 0.0);
  EXPECT_EQ(plain.vector(far)[9], 0.0);
  EXPECT_GT(logs.vector(near)[9], logs.vector(far)[9]);
  EXPECT_TRUE(std::isfinite(logs.vector(far)[12]));
}

// What routers of the cycle model do: each knows its own ports and what its neighbours sent last.
TEST(ProbabilityVectors, SettleInTheRoundsOfADistributedExchange) {
  RandomStream random(2, RandomPurpose::test);
  const KaryCube cube(5);
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, drawn(cube, 30, 10, random));
  const ProbabilityVectorRule& rule = table.rule();
  std::vector<std::vector<double>> now(cube.node_count(), std::vector<double>(rule.elements(), 0)),
      next = now;
  for (unsigned round = 0; round <= rule.elements(); ++round) {
    for (Node node = 0; node < cube.node_count(); ++node) {
      std::array<const double*, 6> neighbours{};
      unsigned faulty_set = 0;
      for (unsigned port = 0; port < 6; ++port) {
        const bool usable = table.usable_ports(node) >> port & 1;
        if (usable) neighbours[port] = now[cube.neighbour(node, port)].data();
        faulty_set += !usable;
      }
      rule.update(faulty_set, neighbours.data(), next[node].data());
    }
    now.swap(next);
    for (Node node = 0; node < cube.node_count(); ++node)
      for (unsigned l = 0; l <= round && l < rule.elements() && !table.faulty(node); ++l)
        ASSERT_EQ(now[node][l], table.vector(node)[l]) << "round " << round;
  }
}

TEST(ProbabilityVectors, CountBothPortsOfARadixOfTwo) {
  const KaryCube cube(2);
  KaryCubeFaults faults;
  faults.nodes = {cube.node_of("001")};
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
  EXPECT_DOUBLE_EQ(table.vector(0)[0], 2.0 / 6);
  EXPECT_EQ(table.usable_ports(0), 0b111100u);
  EXPECT_DOUBLE_EQ(table.vector(cube.node_of("010"))[0], 0.0);
}

TEST(ProbabilityVectors, AFaultyLinkIsFaultyBothWaysAndItsEndsStayHealthy) {
  const KaryCube cube(4);
  KaryCubeFaults faults;
  faults.links = {{cube.node_of("003"), 0}};
  const ProbabilityVectorTable table(cube, PvArithmetic::plain, faults);
  EXPECT_EQ(table.usable_ports(cube.node_of("003")), 0b111110u);
  EXPECT_EQ(table.usable_ports(cube.node_of("000")), 0b111101u);
  EXPECT_DOUBLE_EQ(table.vector(cube.node_of("000"))[0], 1.0 / 6);
  EXPECT_FALSE(table.faulty(cube.node_of("000")));
}

TEST(ProbabilityVectors, LearnWhatALoopTeaches) {
  const KaryCube cube(4);
  ProbabilityVectorTable table(cube, PvArithmetic::plain, {});
  const Node a = cube.node_of("000"), b = cube.node_of("222");
  EXPECT_DOUBLE_EQ(table.vector(a)[0], 0);
  table.add_unreachable(a, b);
  table.add_unreachable(a, b);
  EXPECT_TRUE(table.known_unreachable(a, b));
  EXPECT_FALSE(table.known_unreachable(b, a));
  EXPECT_DOUBLE_EQ(table.vector(a)[0], 1.0 / 6);
  EXPECT_DOUBLE_EQ(table.vector(cube.node_of("001"))[1], 7.0 / 12 / 32);
  table.set_faults({});
  EXPECT_FALSE(table.known_unreachable(a, b));
  EXPECT_DOUBLE_EQ(table.vector(a)[0], 0);
}

// The printed algorithm compares the two expected distances; ours always takes a preferred port.
TEST(NextHop, IsThatOfThePrintedAlgorithm) {
  RandomStream random(3, RandomPurpose::test);
  for (const auto& [k, n] : {std::pair{2u, 3u}, {3u, 3u}, {4u, 3u}, {7u, 2u}})
    for (unsigned trial = 0; trial < 20; ++trial) {
      const KaryCube cube(k, n);
      const ProbabilityVectorTable table(
          cube, PvArithmetic::plain,
          drawn(cube, random.below(cube.node_count() / 2), random.below(4), random));
      for (unsigned pair = 0; pair < 200; ++pair) {
        const Node a = random.below(cube.node_count()), b = random.below(cube.node_count());
        if (a == b || table.faulty(a) || table.faulty(b)) continue;
        const std::uint32_t l = cube.lee_distance(a, b);
        const std::uint32_t preferred = cube.preferred_ports(a, b), usable = table.usable_ports(a);
        const std::uint32_t forbidden = random.below(4) ? 0 : 1u << random.below(cube.ports());
        int best_preferred = -1, best_spare = -1, direct = -1;
        double least = 2, most = 2;
        for (unsigned port = cube.ports(); port-- > 0;) {
          if (!(usable >> port & 1)) continue;
          const double* vector = table.vector(cube.neighbour(a, port));
          if (cube.neighbour(a, port) == b) direct = static_cast<int>(port);
          if (forbidden >> port & 1) continue;
          if (preferred >> port & 1 && l > 1) {
            if (vector[l - 2] <= least) least = vector[l - 2], best_preferred = static_cast<int>(port);
          } else if (!(preferred >> port & 1)) {
            if (vector[l] <= most) most = vector[l], best_spare = static_cast<int>(port);
          }
        }
        const double pr = l * (1 - least) + (l + 2) * least, sp = (l + 2) * (1 - most) + (l + 4) * most;
        int expected = -1;
        if (direct >= 0)
          expected = direct;
        else if (best_preferred >= 0 && (best_spare < 0 || pr <= sp))
          expected = best_preferred;
        else
          expected = best_spare;
        EXPECT_EQ(table.next_hop(a, {l, preferred, usable, forbidden}, PvTies::lowest, nullptr), expected);
      }
    }
}

TEST(NextHop, BreaksTiesAtRandomEvenly) {
  const double same[4] = {.5, .5, .5, .5};
  RandomStream random(4, RandomPurpose::test);
  std::array<int, 6> taken{};
  for (int i = 0; i < 6000; ++i)
    ++taken[static_cast<std::size_t>(probability_vector_next_hop(
        {2, 0b010101, 0b110111, 0b000001}, [&](unsigned) { return same; }, PvTies::random, &random))];
  EXPECT_EQ(taken[0], 0);  // forbidden
  EXPECT_EQ(taken[2] + taken[4], 6000);
  EXPECT_NEAR(taken[2], 3000, 200);
  EXPECT_EQ(probability_vector_next_hop(
                {2, 0b010101, 0b110111, 0b000001}, [&](unsigned) { return same; }, PvTies::lowest, nullptr),
            2);
}

TEST(NextHop, FailsWhereNoPortIsLeft) {
  const double vector[4] = {};
  EXPECT_EQ(probability_vector_next_hop(
                {2, 0b1, 0b10, 0b10}, [&](unsigned) { return vector; }, PvTies::lowest, nullptr),
            -1);
}

}  // namespace flitmend
