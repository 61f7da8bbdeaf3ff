// SPDX-License-Identifier: Apache-2.0
// The arbiter between classes alone: shares, waits, and the proof of their bound.
#include "rtl_tlm/signals/class_arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "base/random_stream.h"

namespace flitmend {
namespace {

ClassRules weighted(std::vector<unsigned> weights) {
  ClassRules rules{.arbitration = Arbitration::weighted};
  for (const unsigned weight : weights) rules.list.push_back({.priority = 0, .weight = weight});
  return rules;
}

ClassArbiter fresh(const ClassRules& rules) {
  ClassArbiter arbiter;
  arbiter.reset(rules);
  return arbiter;
}

ClassSet all_of(const ClassRules& rules) {
  return static_cast<ClassSet>((1u << rules.count()) - 1);
}

/// One grant.
unsigned grant(ClassArbiter& arbiter, const ClassRules& rules, ClassSet requesting) {
  arbiter.only(rules, requesting);
  const unsigned c = arbiter.next(rules, requesting);
  arbiter.grant(rules, c, requesting);
  return c;
}

TEST(ClassArbiter, GrantsByWeightsInEveryRound) {
  const ClassRules rules = weighted({1, 2, 5});
  ClassArbiter arbiter = fresh(rules);
  for (int round = 0; round < 100; ++round) {
    std::array<unsigned, 3> grants{};
    for (int i = 0; i < 8; ++i) ++grants[grant(arbiter, rules, 0b111)];
    EXPECT_EQ(grants, (std::array<unsigned, 3>{1, 2, 5})) << round;
  }
}

TEST(ClassArbiter, DividesWhatAClassDoesNotWantByTheOtherWeights) {
  const ClassRules rules = weighted({1, 2, 5});
  ClassArbiter arbiter = fresh(rules);
  std::array<unsigned, 3> grants{};
  // Class 2 wants a tenth of the grants.
  bool wants = false;
  for (int i = 0; i < 30000; ++i) {
    wants |= i % 10 == 0;
    const unsigned c = grant(arbiter, rules, wants ? 0b111 : 0b011);
    ++grants[c];
    wants &= c != 2;
  }
  EXPECT_EQ(grants[2], 3000);
  EXPECT_NEAR(grants[1], 2.0 * grants[0], 0.01 * grants[1]);
}

TEST(ClassArbiter, AloneAClassGetsEveryGrant) {
  const ClassRules rules = weighted({1, 1000});
  ClassArbiter arbiter = fresh(rules);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(grant(arbiter, rules, 0b01), 0);
}

TEST(ClassArbiter, StrictServesTheGreatestPriorityAndSharesByWeightsBelowIt) {
  ClassRules rules{.arbitration = Arbitration::strict};
  rules.list = {{.priority = 1, .weight = 3}, {.priority = 2, .weight = 1}, {.priority = 1, .weight = 1}};
  ClassArbiter arbiter = fresh(rules);
  std::array<unsigned, 3> grants{};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(grant(arbiter, rules, 0b111), 1);
  EXPECT_EQ(arbiter[0].waited, 100);
  for (int i = 0; i < 400; ++i) ++grants[grant(arbiter, rules, 0b101)];
  EXPECT_EQ(grants, (std::array<unsigned, 3>{300, 0, 100}));
  EXPECT_EQ(rules.wait_bound(1), 0);
  EXPECT_EQ(rules.wait_bound(0), std::nullopt);
}

TEST(ClassArbiter, ControlMessagesGoFirstAndCountForNobody) {
  const ClassRules rules = weighted({2, 2});
  ClassArbiter arbiter = fresh(rules);
  const ClassSet control = 1u << kControlClass;
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(grant(arbiter, rules, static_cast<ClassSet>(control | 0b11)), kControlClass);
  EXPECT_EQ(arbiter[0].waited, 0);
  EXPECT_EQ(arbiter[0].longest_wait, 0);
}

TEST(ClassArbiter, CountsAWaitAboveTheLimitOnce) {
  ClassRules rules{.arbitration = Arbitration::strict, .starvation_limit = 10};
  rules.list = {{.priority = 0, .weight = 1}, {.priority = 1, .weight = 1}};
  ClassArbiter arbiter = fresh(rules);
  for (int i = 0; i < 10; ++i) grant(arbiter, rules, 0b11);
  EXPECT_EQ(arbiter[0].starvations, 0);
  for (int i = 0; i < 30; ++i) grant(arbiter, rules, 0b11);
  EXPECT_EQ(arbiter[0].starvations, 1);
  EXPECT_EQ(arbiter[0].longest_wait, 40);
  grant(arbiter, rules, 0b01);
  for (int i = 0; i < 11; ++i) grant(arbiter, rules, 0b11);
  EXPECT_EQ(arbiter[0].starvations, 2);
  grant(arbiter, rules, 0b10);  // it makes no request: the wait is over
  EXPECT_EQ(arbiter[0].waited, 0);
}

/// All that decides what an arbiter does next, and the waits so far.
std::vector<unsigned> state_of(const ClassArbiter& arbiter, const ClassRules& rules) {
  std::vector<unsigned> state;
  for (unsigned c = 0; c < rules.count(); ++c)
    for (const unsigned value :
         {unsigned{arbiter[c].grants_left}, arbiter.place(c), unsigned{arbiter[c].waited}})
      state.push_back(value);
  return state;
}

// Every state that an arbiter can reach, whatever the requests are in each cycle: no wait exceeds the sum of
// the other weights, and each class can wait that long.
TEST(ClassArbiter, NeverLetsAClassWaitForMoreThanTheSumOfTheOtherWeights) {
  for (const std::vector<unsigned>& weights : {std::vector<unsigned>{1, 1},
                                               {3, 1},
                                               {2, 3},
                                               {1, 2, 5},
                                               {2, 2, 1},
                                               {3, 1, 2},
                                               {1, 1, 1, 1},
                                               {2, 1, 1, 2}}) {
    const ClassRules rules = weighted(weights);
    std::set<std::vector<unsigned>> known;
    std::deque<ClassArbiter> open{fresh(rules)};
    std::vector<std::uint64_t> longest(rules.count());
    known.insert(state_of(open.front(), rules));
    while (!open.empty()) {
      const ClassArbiter from = open.front();
      open.pop_front();
      for (ClassSet requesting = 1; requesting <= all_of(rules); ++requesting)
        for (const bool accepted : {true, false}) {
          ClassArbiter to = from;
          to.only(rules, requesting);
          const unsigned c = to.next(rules, requesting);
          if (accepted) to.grant(rules, c, requesting);  // an input may prefer another output
          for (unsigned i = 0; i < rules.count(); ++i) {
            ASSERT_LE(to[i].waited, *rules.wait_bound(i)) << "class " << i;
            longest[i] = std::max<std::uint64_t>(longest[i], to[i].waited);
          }
          if (known.insert(state_of(to, rules)).second) open.push_back(to);
        }
    }
    for (unsigned i = 0; i < rules.count(); ++i) EXPECT_EQ(longest[i], rules.wait_bound(i)) << "class " << i;
  }
}

// The same with 8 classes of large weights, by chance.
TEST(ClassArbiter, KeepsTheBoundWithManyClassesAndAnyRequests) {
  RandomStream random(7, RandomPurpose::routing, 0);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<unsigned> weights;
    for (unsigned c = 0; c < kMessageClasses; ++c)
      weights.push_back(1 + random.below(trial % 2 == 0 ? 9 : 200));
    const ClassRules rules = weighted(weights);
    ClassArbiter arbiter = fresh(rules);
    ClassSet requesting = all_of(rules);
    for (int i = 0; i < 20000; ++i) {
      if (random.below(3) == 0)
        requesting = static_cast<ClassSet>(requesting ^ 1u << random.below(kMessageClasses));
      if (requesting != 0) grant(arbiter, rules, requesting);
    }
    for (unsigned c = 0; c < rules.count(); ++c)
      EXPECT_LE(arbiter[c].longest_wait, *rules.wait_bound(c)) << trial << ", class " << c;
  }
}

}  // namespace
}  // namespace flitmend
