// SPDX-License-Identifier: Apache-2.0
#include "analysis/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {

TEST(Confidence, KnowsTheQuantilesOfTheNormalDistribution) {
  EXPECT_NEAR(normal_quantile(.95), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(.99), 2.575829303548901, 1e-12);
}

// Wilson's formula by hand: 3 of 10 at 95 %; 0 of n reaches z²/(n + z²).
TEST(Confidence, IsWilsonsInterval) {
  const ShareInterval three = share_interval(3, 10, .95).value();
  EXPECT_NEAR(three.low, .107791, 1e-6);
  EXPECT_NEAR(three.high, .603222, 1e-6);
  EXPECT_NEAR(three.reach(.3), .303222, 1e-6);
  const double z = normal_quantile(.99);
  for (std::uint64_t n : {2ull, 50ull, 16'588ull, 4'000'000'000ull}) {
    const ShareInterval none = share_interval(0, n, .99).value(), all = share_interval(n, n, .99).value();
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, z * z / (double(n) + z * z), 1e-12);
    EXPECT_NEAR(all.low, 1 - none.high, 1e-12);
    EXPECT_EQ(all.high, 1);
  }
  EXPECT_LE(share_interval(8294, 16'588, .99)->reach(.5), .01);
}

TEST(Confidence, IsNotKnownBelowTwoSamples) {
  EXPECT_FALSE(share_interval(0, 0, .95));
  EXPECT_FALSE(share_interval(1, 1, .95));
  EXPECT_FALSE(grouped_share_interval({.5, 0, 1, 1000}, .95));
  EXPECT_TRUE(grouped_share_interval({.5, 0, 2, 1000}, .95));
}

TEST(Confidence, CountsGroupsWhereTheirDrawsGoTogether) {
  // Many groups with the spread of independent draws: the same as without groups.
  const double p = .3, draws = 1e6;
  const ShareInterval apart = grouped_share_interval({p, p * (1 - p) / draws, 1e5, draws}, .95).value();
  const ShareInterval plain = share_interval(300'000, 1'000'000, .95).value();
  EXPECT_NEAR(apart.low, plain.low, 1e-7);
  EXPECT_NEAR(apart.high, plain.high, 1e-7);
  // Never narrower, however little the groups differ.
  EXPECT_EQ(grouped_share_interval({p, 1e-30, 1e5, draws}, .95), apart);
  // If the groups do not differ, their spread is unknown: each counts as one sample.
  const ShareInterval alike = grouped_share_interval({1, 0, 200, 200'000}, .95).value();
  EXPECT_EQ(alike.high, 1);
  EXPECT_LT(alike.low, .982);
  EXPECT_GT(alike.low, .980);
  // Student's t: two groups give a wide interval.
  EXPECT_GT(grouped_share_interval({.5, .01, 2, 1000}, .95)->reach(.5), .45);
  EXPECT_EQ(grouped_share_interval({1, 0, 2, 1000}, .95), share_interval(2, 2, .95));
}

// Groups of 50 dependent draws, each with its own probability. 95 % intervals for independent draws would not
// contain the true value often enough; these do.
TEST(Confidence, HoldsTheTruthAsOftenAsItSays) {
  constexpr unsigned kTrials = 2000, kGroups = 40, kDraws = 50;
  unsigned held = 0, held_as_independent = 0;
  for (unsigned trial = 0; trial < kTrials; ++trial) {
    RandomStream random(7, RandomPurpose::analysis, trial);
    std::vector<double> shares;
    std::uint64_t hits = 0;
    for (unsigned g = 0; g < kGroups; ++g) {
      const double own = .7 + .3 * random.uniform();  // mean .85
      unsigned group = 0;
      for (unsigned d = 0; d < kDraws; ++d) group += random.uniform() < own;
      hits += group;
      shares.push_back(double(group) / kDraws);
    }
    const double p = double(hits) / (kGroups * kDraws);
    double squares = 0;
    for (double s : shares) squares += (s - p) * (s - p);
    const auto within =
        grouped_share_interval({p, squares / (kGroups - 1) / kGroups, kGroups, kGroups * kDraws}, .95);
    held += within->low <= .85 && .85 <= within->high;
    const auto independent = share_interval(hits, kGroups * kDraws, .95);
    held_as_independent += independent->low <= .85 && .85 <= independent->high;
  }
  EXPECT_GT(held, .93 * kTrials);
  EXPECT_LT(held, .975 * kTrials);
  EXPECT_LT(held_as_independent, .85 * kTrials);
}

}  // namespace flitmend
