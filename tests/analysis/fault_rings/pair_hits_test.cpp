// SPDX-License-Identifier: Apache-2.0
#include "analysis/fault_rings/pair_hits.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/fault_rings/path_counts.h"
#include "support/message_of.h"

namespace flitmend {
namespace {

using Node = MeshShape::Node;

/// All minimal paths of a pair, and those that meet X, one by one.
struct RandomPath {
  std::uint64_t paths = 0, hits = 0;

  void go(const FaultPattern& pattern, FaultRegion region, Node here, Node to, bool met) {
    const MeshShape& mesh = pattern.mesh();
    met |= pattern.in_region(here, region);
    if (here == to) {
      ++paths;
      hits += met;
      return;
    }
    for (unsigned i = 0; i < mesh.dimensions(); ++i) {
      const std::uint32_t x = mesh.coordinate(here, i), goal = mesh.coordinate(to, i);
      if (x < goal) go(pattern, region, here + mesh.stride(i), to, met);
      if (x > goal) go(pattern, region, here - mesh.stride(i), to, met);
    }
  }
};

}  // namespace

TEST(PairHits, AreThoseOfAllPathsOneByOne) {
  for (const FaultPattern& pattern : {FaultPattern(MeshShape({5, 4}), {}, {{1, 1}, {2, 1}, {2, 2}}),
                                      FaultPattern(MeshShape({3, 4, 3}), {{{1, 1, 0}, {1, 2, 1}}}),
                                      FaultPattern(MeshShape({2, 3, 2, 2}), {}, {{0, 1, 1, 0}})})
    for (const FaultRegion region : {FaultRegion::ring, FaultRegion::fault})
      for (Node from = 0; from < pattern.mesh().node_count(); ++from) {
        if (pattern.faulty(from)) continue;
        const std::vector<double> found = pair_hits_from(pattern, region, from);
        for (Node to = 0; to < found.size(); ++to) {
          if (pattern.faulty(to)) continue;
          RandomPath walk;
          walk.go(pattern, region, from, to, false);
          EXPECT_NEAR(found[to], static_cast<double>(walk.hits) / static_cast<double>(walk.paths), 1e-14);
          EXPECT_EQ(found[to] == 0, walk.hits == 0) << from << ' ' << to;
          EXPECT_EQ(found[to] == 1, walk.hits == walk.paths) << from << ' ' << to;
        }
      }
}

// Weighted by its paths, the mean over pairs is P_hit of [Safaei11 eq. 20], which the sweep counts exactly.
TEST(PairHits, WeightedByPathsAreThePublishedProbability) {
  const FaultPattern pattern(MeshShape({5, 6, 4}), {{{2, 2, 1}, {2, 1, 2}}});
  const MeshShape& mesh = pattern.mesh();
  for (const FaultRegion region : {FaultRegion::ring, FaultRegion::fault}) {
    double hit = 0, all = 0;
    for (Node from = 0; from < mesh.node_count(); ++from) {
      if (pattern.faulty(from)) continue;
      const std::vector<double> p = pair_hits_from(pattern, region, from);
      for (Node to = 0; to < p.size(); ++to) {
        if (pattern.faulty(to)) continue;
        double log_paths = 0;
        std::uint32_t length = 0;
        for (unsigned i = 0; i < mesh.dimensions(); ++i) {
          const std::uint32_t a = mesh.coordinate(from, i), b = mesh.coordinate(to, i);
          const std::uint32_t d = a < b ? b - a : a - b;
          log_paths -= std::lgamma(d + 1.0);
          length += d;
        }
        const double paths = std::round(std::exp(log_paths + std::lgamma(length + 1.0)));
        hit += p[to] * paths;
        all += paths;
      }
    }
    EXPECT_NEAR(hit / all, count_paths_by_sweep(pattern, region).p_hit(), 1e-12);
  }
}

TEST(PairHits, AreCountedPairByPair) {
  // A line whose last node is faulty: the pairs that meet the ring are those with node 3 at an end.
  const PairHits line = survey_pairs(FaultPattern(MeshShape({5}), {}, {{4}}), FaultRegion::ring);
  EXPECT_EQ(line.pairs, 12u);
  EXPECT_EQ(line.never, 6u);
  EXPECT_EQ(line.always, 6u);
  EXPECT_EQ(line.mean(), .5);
  // Nothing but fault and ring.
  const FaultPattern full(MeshShape({3, 3}), {}, {{1, 1}});
  EXPECT_EQ(survey_pairs(full, FaultRegion::ring).always, 56u);
  // The fault alone: of the six paths between opposite corners four lead through the middle; between the
  // middles of opposite sides there is one path, through it; between a corner and the middle of a far side
  // two of three, and between the middles of neighbouring sides one of two.
  const PairHits middle = survey_pairs(full, FaultRegion::fault);
  EXPECT_EQ(middle.pairs, 56u);
  EXPECT_EQ(middle.always, 4u);
  EXPECT_EQ(middle.between[5], 8u);
  EXPECT_EQ(middle.between[6], 4u + 16u);
  EXPECT_EQ(middle.never, 56u - 4 - 8 - 20);
  EXPECT_NEAR(middle.sum, 4 + 8 * .5 + 20 * 2 / 3., 1e-12);
}

TEST(PairHits, DoNotDependOnTheThreads) {
  const FaultPattern pattern(MeshShape({9, 7, 5}), {{{2, 3, 1}, {3, 1, 2}}});
  const PairHits one = survey_pairs(pattern, FaultRegion::ring, 1);
  for (const unsigned jobs : {2u, 3u}) {
    const PairHits more = survey_pairs(pattern, FaultRegion::ring, jobs);
    EXPECT_EQ(more.sum, one.sum);
    EXPECT_EQ(more.between, one.between);
  }
}

TEST(PairHits, RefusesWorkOfHours) {
  const FaultPattern pattern(MeshShape({1000, 1000}), {}, {{500, 500}});
  EXPECT_EQ(
      test::message_of([&] { survey_pairs(pattern, FaultRegion::ring); }),
      "fault rings: P_hit of every pair of the 1000x1000 mesh would take about 2e+12 steps (n·N²), more "
      "than the limit of 1e+12; make the mesh smaller");
}

}  // namespace flitmend
