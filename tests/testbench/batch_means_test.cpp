// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/mean_interval.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random_stream.h"

namespace flitmend {

TEST(BatchMeans, HasTheIntervalOfItsBatches) {
  // 2048 cycles, one observation each: 128 batches of 16.
  RandomStream random(4, RandomPurpose::test);
  BatchMeans b;
  std::vector<Batch> batches(128);
  for (Cycle t = 0; t < 2048; ++t) {
    const std::uint64_t v = random.below(500);
    b.add(t, v);
    batches[t / 16].sum += v;
    ++batches[t / 16].count;
  }
  EXPECT_EQ(b.batches(), 128u);
  EXPECT_EQ(b.batch_cycles(), 16u);
  ASSERT_TRUE(b.interval().half_width.has_value());
  EXPECT_EQ(b.interval().half_width, mean_interval_95(batches).half_width);
}

TEST(BatchMeans, NothingHasNoInterval) {
  EXPECT_EQ(BatchMeans().interval().half_width, std::nullopt);
  EXPECT_FALSE(BatchMeans().interval().reason.empty());
}

TEST(BatchMeans, NumberOfBatchesStaysBetween65And128) {
  for (Cycle length : {129u, 256u, 257u, 1000u, 10000u, 99999u}) {
    BatchMeans b;
    for (Cycle t = 0; t < length; ++t) b.add(t, t);
    EXPECT_GE(b.batches(), 65u) << length;
    EXPECT_LE(b.batches(), 128u) << length;
  }
}

TEST(BatchMeans, OrderDoesNotMatter) {
  RandomStream random(5, RandomPurpose::test);
  std::vector<std::pair<Cycle, std::uint64_t>> series;
  for (int i = 0; i < 5000; ++i) series.emplace_back(random.below(100000), random.below(1000));
  BatchMeans forward, backward;
  for (auto i = series.begin(); i != series.end(); ++i) forward.add(i->first, i->second);
  for (auto i = series.rbegin(); i != series.rend(); ++i) backward.add(i->first, i->second);
  ASSERT_TRUE(forward.interval().half_width.has_value());
  EXPECT_EQ(forward.interval().half_width, backward.interval().half_width);
  EXPECT_EQ(forward.batch_cycles(), backward.batch_cycles());
}

TEST(BatchMeans, TakesTheLastCycleOfAll) {
  BatchMeans b;
  b.add(0, 1);
  b.add(kNever, 3);
  EXPECT_EQ(b.batches(), 2u);
  EXPECT_EQ(b.batch_cycles(), Cycle{1} << 57);
}

}  // namespace flitmend
