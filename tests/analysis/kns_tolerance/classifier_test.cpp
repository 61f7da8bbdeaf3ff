// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/classifier.h"

#include <gtest/gtest.h>

#include "analysis/kns_tolerance/combinations.h"
#include "support/kns_walk.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

/// The same outcome, computed pair by pair.
KnsOutcome walked(const test::KnsWalk& walk, unsigned limit, IntermediatePolicy policy) {
  KnsOutcome outcome;
  const auto least = walk.fewest(limit);
  unsigned worst = 0;
  for (NodeId s = 0; s < walk.kns.node_count(); ++s)
    for (NodeId d = 0; d < walk.kns.node_count(); ++d) {
      if (s == d) continue;
      int used = least[s][d];
      worst = std::max(worst, used < 0 ? KnsOutcome::kNever : static_cast<unsigned>(used));
      if (policy == IntermediatePolicy::minimal_first) {
        const int minimal = walk.fewest_on_minimal_path(s, d);
        if (minimal >= 0 && minimal <= static_cast<int>(limit)) used = minimal;
      }
      if (used < 0)
        ++outcome.unreachable;
      else
        ++outcome.pairs[static_cast<unsigned>(used)];
    }
  outcome.tolerated = worst;
  outcome.connected = walk.connected();
  return outcome;
}

struct Case {
  std::uint32_t k, n;
  unsigned faults, repeats;
};

void compare_with_walk(const Case& c, IntermediatePolicy policy, int* differ_by_policy = nullptr) {
  const KnsShape shape(c.k, c.n);
  for (unsigned limit = 0; limit <= 4; ++limit) {
    KnsClassifier classifier(shape, limit, policy);
    test::KnsWalk walk(c.k, c.n);
    SubsetSampler sampler;
    for (unsigned repeat = 0; repeat < c.repeats; ++repeat) {
      RandomStream random(limit + 1, RandomPurpose::test, 1000 * c.k + 100 * c.n + repeat);
      std::vector<std::uint32_t> numbers(c.faults);
      sampler.draw(shape.link_count(), numbers, random);
      std::vector<KnsLink> links;
      walk.repair_all();
      for (const std::uint32_t number : numbers) {
        links.push_back(shape.link(number));
        walk.kill(links.back().node, links.back().dimension);
      }
      const KnsOutcome outcome = classifier.classify(links);
      const KnsOutcome expected = walked(walk, limit, policy);
      ASSERT_EQ(outcome.connected, expected.connected);
      ASSERT_EQ(outcome.tolerated, expected.tolerated);
      ASSERT_EQ(outcome.pairs, expected.pairs) << shape.description() << " with " << c.faults << " faults";
      ASSERT_EQ(outcome.unreachable, expected.unreachable);
      EXPECT_EQ(classifier.tolerates(links), expected.tolerated <= limit);
      if (differ_by_policy)
        *differ_by_policy += expected.pairs != walked(walk, limit, IntermediatePolicy::fewest).pairs;
    }
  }
}

}  // namespace

TEST(KnsClassifier, AgreesWithWalkingEveryPath) {
  for (const Case& c :
       {Case{2, 1, 1, 2}, Case{5, 1, 2, 3}, Case{2, 2, 3, 5}, Case{3, 2, 4, 10}, Case{3, 2, 9, 10},
        Case{5, 2, 6, 8}, Case{8, 2, 12, 2}, Case{8, 2, 40, 2}, Case{3, 3, 5, 4}, Case{3, 3, 20, 4},
        Case{4, 3, 30, 1}, Case{3, 3, 70, 3}, Case{2, 4, 10, 4}, Case{2, 5, 25, 2}})
    compare_with_walk(c, IntermediatePolicy::fewest);
}

TEST(KnsClassifier, AgreesWithWalkingUnderMinimalFirst) {
  int differ = 0;
  for (const Case& c : {Case{3, 2, 5, 5}, Case{2, 3, 6, 8}, Case{3, 3, 8, 8}, Case{3, 3, 20, 6},
                        Case{4, 3, 14, 2}, Case{4, 3, 45, 2}, Case{2, 4, 9, 6}, Case{2, 4, 25, 6},
                        Case{3, 4, 60, 1}, Case{2, 5, 20, 2}, Case{2, 6, 90, 1}})
    compare_with_walk(c, IntermediatePolicy::minimal_first, &differ);
  EXPECT_GT(differ, 30);  // otherwise the test proves nothing
}

TEST(KnsClassifier, KnowsTheExtremes) {
  const KnsShape shape(3, 2);
  KnsClassifier classifier(shape, 2, IntermediatePolicy::fewest);
  const KnsOutcome& none = classifier.classify({});
  EXPECT_TRUE(none.connected);
  EXPECT_EQ(none.tolerated, 0u);
  EXPECT_EQ(none.pairs[0], 72u);
  std::vector<KnsLink> all;
  for (std::uint32_t l = 0; l < shape.link_count(); ++l) all.push_back(shape.link(l));
  const KnsOutcome& nothing = classifier.classify(all);
  EXPECT_FALSE(nothing.connected);
  EXPECT_EQ(nothing.tolerated, KnsOutcome::kNever);
  EXPECT_EQ(nothing.unreachable, 72u);
}

// The tight case of [Penaranda17 Lemma 2] in three dimensions: 2(n − 1) + k − 2 faulty links leave the
// network connected but are not tolerated with two intermediates; one fewer would be.
TEST(KnsClassifier, Lemma2IsTightInThreeDimensions) {
  for (const std::uint32_t k : {3u, 5u, 10u}) {
    const KnsShape shape(k, 3);
    std::vector<KnsLink> links{{0, 0}, {0, 1}};  // the source leaves by dimension 2 only
    const std::uint32_t d = 1;                   // in its row
    links.push_back({d, 1});                     // the destination is entered by dimension 0 only
    links.push_back({d, 2});
    for (std::uint32_t m = 2; m < k; ++m)
      links.push_back({m, 2});  // its other neighbours are cut off likewise
    ASSERT_EQ(links.size(), 2 * 2 + k - 2);
    KnsClassifier two(shape, 2, IntermediatePolicy::fewest);
    const KnsOutcome outcome = two.classify(links);
    EXPECT_TRUE(outcome.connected);
    EXPECT_EQ(outcome.tolerated, KnsOutcome::kNever);
    for (std::size_t i = 0; i < links.size(); ++i) {
      std::vector<KnsLink> fewer = links;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_TRUE(two.tolerates(fewer)) << k << ", without " << i;
    }
  }
}

// The size of the network does not matter, only the faults do: 2^30 routers.
TEST(KnsClassifier, AnalysesNetworksThatNoMemoryHolds) {
  const KnsShape shape(1 << 15, 2);
  KnsClassifier classifier(shape, 2, IntermediatePolicy::fewest);
  const std::vector<KnsLink> links{{0, 0}, {3, 1}};
  const KnsOutcome& outcome = classifier.classify(links);
  const std::uint64_t k = 1 << 15;
  EXPECT_TRUE(outcome.connected);
  EXPECT_EQ(outcome.tolerated, 2u);
  EXPECT_EQ(outcome.pairs[2],
            1u);  // [Penaranda17 Fig. 4]: from 0 to 3; in the other direction one intermediate is enough
  // Each link carries 2(k − 1)k pairs; from 0 to the rest of column 3 both are on the plain path.
  EXPECT_EQ(outcome.pairs[1] + outcome.pairs[2], 4 * (k - 1) * k - (k - 1));
}

TEST(KnsClassifier, RefusesWhatItCannotDo) {
  EXPECT_EQ(test::message_of([] { KnsClassifier(KnsShape(3, 2), 9, IntermediatePolicy::fewest); }),
            "intermediates is 9; at most 8 are supported");
  EXPECT_EQ(test::message_of([] { KnsClassifier(KnsShape(2, 13), 2, IntermediatePolicy::minimal_first); }),
            "policy minimal-first supports networks of at most 12 dimensions; KNS(2, 13) has more; use "
            "policy fewest");
}

}  // namespace flitmend
