// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "analysis/fault_rings/path_counts.h"
#include "support/message_of.h"

namespace flitmend {

TEST(MonteCarlo, ContainsTheExactValueInItsInterval) {
  struct Case {
    std::vector<std::uint32_t> mesh;
    FaultBox box;
  };
  unsigned contained = 0, intervals = 0;
  for (const Case& c : {Case{{7, 8, 11}, {{2, 2, 2}, {2, 1, 3}}}, Case{{3, 5, 7}, {{0, 0, 1}, {2, 2, 2}}},
                        Case{{30, 30}, {{10, 10}, {5, 5}}}, Case{{40}, {{0}, {3}}},
                        Case{{9, 5, 3, 9}, {{2, 3, 1, 3}, {1, 1, 1, 4}}}}) {
    const FaultPattern pattern(MeshShape(c.mesh), {c.box});
    for (FaultRegion region : {FaultRegion::fault, FaultRegion::ring}) {
      const double exact = count_paths_by_sweep(pattern, region).p_hit();
      const HitEstimate e = estimate_p_hit(pattern, region, 40000, 1);
      EXPECT_EQ(e.samples, 40000u);
      const ShareInterval within = e.within.value();
      EXPECT_LE(within.low, e.p_hit);
      EXPECT_GE(within.high, e.p_hit);
      EXPECT_LT(within.high - within.low, .011);
      EXPECT_NEAR(e.p_hit, exact, .0125);  // five standard deviations
      contained += within.low <= exact && exact <= within.high;
      ++intervals;
    }
  }
  EXPECT_GE(contained, intervals - 2);
}

TEST(MonteCarlo, DependsOnTheSeedAloneNotOnTheThreads) {
  const FaultPattern pattern(MeshShape({12, 12}), {{{4, 4}, {3, 2}}});
  const HitEstimate one = estimate_p_hit(pattern, FaultRegion::ring, 50001, 7, 1);
  for (unsigned jobs : {2u, 5u})
    EXPECT_EQ(estimate_p_hit(pattern, FaultRegion::ring, 50001, 7, jobs).hits, one.hits);
  EXPECT_NE(estimate_p_hit(pattern, FaultRegion::ring, 50001, 8, 1).hits, one.hits);
}

TEST(MonteCarlo, KnowsNoIntervalOfOnePath) {
  const FaultPattern pattern(MeshShape({12, 12}), {{{4, 4}, {3, 2}}});
  EXPECT_EQ(estimate_p_hit(pattern, FaultRegion::ring, 1, 1).within, std::nullopt);
  // All paths hit: a mesh that consists only of fault and ring.
  const FaultPattern full(MeshShape({3, 3}), {{{1, 1}, {1, 1}}});
  const HitEstimate all = estimate_p_hit(full, FaultRegion::ring, 100, 1);
  EXPECT_EQ(all.hits, 100u);
  EXPECT_LT(all.within.value().low, .97);
}

TEST(MonteCarlo, RefusesWhatItCannotDraw) {
  const FaultPattern pattern(MeshShape({12, 12}), {{{4, 4}, {3, 2}}});
  const auto refusal = [](const FaultPattern& p, std::uint64_t samples) {
    return test::message_of([&] { estimate_p_hit(p, FaultRegion::ring, samples, 1, 1); });
  };
  EXPECT_EQ(refusal(pattern, 0), "fault rings: 0 samples requested; draw at least one path");
  EXPECT_EQ(refusal(pattern, 100'000'000'001),
            "fault rings: 100000000001 samples would take hours; at most 43478260869 paths can be drawn in "
            "the 12x12 "
            "mesh");
  // The healthy nodes are on one line, far from almost all paths.
  const FaultPattern corners(MeshShape({200, 200}), {{{0, 0}, {200, 199}}});
  EXPECT_EQ(refusal(corners, 10),
            "fault rings: too few of all paths are between healthy nodes to draw them at random; use "
            "the exact methods");
}

}  // namespace flitmend
