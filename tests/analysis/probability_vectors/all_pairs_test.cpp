// SPDX-License-Identifier: Apache-2.0
#include "analysis/probability_vectors/route.h"

#include <gtest/gtest.h>

#include "analysis/probability_vectors/faults.h"
#include "analysis/probability_vectors/statistics.h"

namespace flitmend {
namespace {

constexpr std::uint64_t kSeed = 3;

// The same fault sets, of which the statistics draw 40,000 pairs each.
TEST(AllPairs, AgreeWithTheStatisticsOfDrawnPairs) {
  std::uint64_t failed = 0, looping = 0;
  for (const auto& [k, n, nodes, links] :
       {std::tuple{4u, 3u, 18u, 4u}, {5u, 2u, 6u, 3u}, {2u, 4u, 4u, 3u}, {9u, 1u, 1u, 0u}})
    for (std::uint32_t set = 0; set < 5; ++set) {
      PvExperiment e;
      e.k = k, e.n = n, e.faulty_nodes = nodes, e.faulty_links = links;
      e.pairs = 40000, e.fault_sets = 1, e.first_fault_set = set;
      const PvStatistics drawn = probability_routing_statistics(e, kSeed, 1);

      const KaryCube cube(k, n);
      RandomStream random(kSeed, RandomPurpose::static_faults, set);
      const KaryCubeFaults faults = random_faults(cube, nodes, links, random);
      const PvAllPairs all = route_all_pairs({cube, PvArithmetic::plain, faults}, faults.count());
      const std::uint64_t healthy = cube.node_count() - nodes;
      EXPECT_EQ(all.pairs(), healthy * (healthy - 1));
      const auto share = [&](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(all.pairs());
      };
      EXPECT_NEAR(share(all.failed), drawn.all.share(drawn.all.failed), 0.01);
      EXPECT_NEAR(share(all.looping), drawn.all.share(drawn.all.looping), 0.01);
      ASSERT_TRUE(all.delivered.deviation_percent() && drawn.deviation_percent);
      EXPECT_NEAR(*all.delivered.deviation_percent(), *drawn.deviation_percent,
                  1 + *drawn.deviation_percent / 20);
      failed += all.failed;
      looping += all.looping;
    }
  EXPECT_GT(failed, 0u);
  EXPECT_GT(looping, 0u);
}

}  // namespace
}  // namespace flitmend
