// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/combinations.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace flitmend {

TEST(CombinationCount, IsExactAndKnowsItsLimit) {
  EXPECT_EQ(combination_count(18, 2), 153u);
  EXPECT_EQ(combination_count(81, 4), 1'663'740u);
  EXPECT_EQ(combination_count(5, 0), 1u);
  EXPECT_EQ(combination_count(5, 5), 1u);
  EXPECT_EQ(combination_count(5, 6), 0u);
  EXPECT_EQ(combination_count(67, 33), 14'226'520'737'620'288'370u);
  EXPECT_EQ(combination_count(68, 34), std::nullopt);
  EXPECT_EQ(combination_count(3000, 15), std::nullopt);
  EXPECT_EQ(combination_count(1u << 31, 1), 1u << 31);
}

TEST(Combinations, RankAndSuccessorAgree) {
  std::vector<std::uint32_t> walked{0, 1, 2, 3};
  std::set<std::vector<std::uint32_t>> all;
  std::uint64_t rank = 0;
  do {
    std::vector<std::uint32_t> direct(4);
    combination_of_rank(11, rank++, direct);
    EXPECT_EQ(direct, walked);
    all.insert(walked);
  } while (next_combination(11, walked));
  EXPECT_EQ(rank, 330u);
  EXPECT_EQ(all.size(), 330u);
}

TEST(Combinations, HandlesNoMembersAndAllMembers) {
  std::vector<std::uint32_t> none;
  combination_of_rank(7, 0, none);
  EXPECT_FALSE(next_combination(7, none));
  std::vector<std::uint32_t> all(3);
  combination_of_rank(3, 0, all);
  EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_FALSE(next_combination(3, all));
}

TEST(SubsetSampler, DrawsEverySubsetEquallyOften) {
  SubsetSampler sampler;
  std::map<std::set<std::uint32_t>, int> seen;
  constexpr int kDraws = 35'000;
  for (int i = 0; i < kDraws; ++i) {
    RandomStream random(1, RandomPurpose::test, i);
    std::vector<std::uint32_t> members(3);
    sampler.draw(7, members, random);
    const std::set<std::uint32_t> subset(members.begin(), members.end());
    ASSERT_EQ(subset.size(), 3u);
    ASSERT_LT(*subset.rbegin(), 7u);
    ++seen[subset];
  }
  ASSERT_EQ(seen.size(), 35u);
  for (const auto& [subset, count] : seen) EXPECT_NEAR(count, 1000, 5 * 32);
}

TEST(SubsetSampler, CanDrawEverything) {
  SubsetSampler sampler;
  RandomStream random(1, RandomPurpose::test);
  std::vector<std::uint32_t> members(100);
  for (int i = 0; i < 10; ++i) {
    sampler.draw(100, members, random);
    EXPECT_EQ(std::set<std::uint32_t>(members.begin(), members.end()).size(), 100u);
  }
}

}  // namespace flitmend
