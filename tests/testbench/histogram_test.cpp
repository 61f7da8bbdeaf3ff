// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {
namespace {

/// Nearest rank, computed from the sorted values.
std::uint64_t sorted_percentile(std::vector<std::uint64_t> values, unsigned percent) {
  std::sort(values.begin(), values.end());
  const std::size_t rank = (values.size() * percent + 99) / 100;
  return values[rank - 1];
}

}  // namespace

TEST(Histogram, EmptyHasNoPercentiles) {
  const Histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.percentile(50), std::nullopt);
  EXPECT_EQ(h.max(), std::nullopt);
}

TEST(Histogram, PercentilesOfOneToHundredAreTheirOwnNumbers) {
  Histogram h;
  for (std::uint64_t v = 100; v >= 1; --v) h.add(v);
  for (unsigned p = 1; p <= 100; ++p) EXPECT_EQ(h.percentile(p), p);
}

TEST(Histogram, NearestRankOfSmallSets) {
  Histogram one;
  one.add(0);
  EXPECT_EQ(one.percentile(1), 0u);
  EXPECT_EQ(one.percentile(99), 0u);
  EXPECT_EQ(one.max(), 0u);

  Histogram five;  // the textbook example of nearest rank
  for (std::uint64_t v : {15, 20, 35, 40, 50}) five.add(v);
  EXPECT_EQ(five.percentile(5), 15u);
  EXPECT_EQ(five.percentile(30), 20u);
  EXPECT_EQ(five.percentile(40), 20u);
  EXPECT_EQ(five.percentile(50), 35u);
  EXPECT_EQ(five.percentile(100), 50u);
}

TEST(Histogram, ExactUpToItsBound) {
  RandomStream random(1, RandomPurpose::test);
  std::vector<std::uint64_t> values;
  Histogram h;
  for (int i = 0; i < 20001; ++i) {
    values.push_back(random.below(static_cast<std::uint32_t>(Histogram::kExact)));
    h.add(values.back());
  }
  for (unsigned p : {1u, 37u, 50u, 95u, 99u, 100u}) EXPECT_EQ(h.percentile(p), sorted_percentile(values, p));
}

TEST(Histogram, AboveTheBoundAtMostATenthOfAPercentTooHighAndNeverTooLow) {
  RandomStream random(2, RandomPurpose::test);
  std::vector<std::uint64_t> values;
  Histogram h;
  for (int i = 0; i < 20000; ++i) {
    const unsigned bits = 10 + random.below(40);
    values.push_back(random.bits64() >> (64 - bits));
    h.add(values.back());
  }
  for (unsigned p = 1; p <= 100; ++p) {
    const std::uint64_t exact = sorted_percentile(values, p);
    const std::uint64_t given = h.percentile(p).value();
    EXPECT_GE(given, exact);
    EXPECT_LE(given - exact, exact / Histogram::kSubBuckets) << "percentile " << p;
    if (exact < Histogram::kExact) {
      EXPECT_EQ(given, exact);
    }
  }
  EXPECT_EQ(h.percentile(100), h.max());
}

TEST(Histogram, TakesEveryValue) {
  Histogram h;
  const std::uint64_t greatest = ~std::uint64_t{0};
  for (std::uint64_t v : {std::uint64_t{0}, Histogram::kExact - 1, Histogram::kExact, Histogram::kExact + 1,
                          std::uint64_t{1} << 63, greatest})
    h.add(v);
  EXPECT_EQ(h.max(), greatest);
  EXPECT_EQ(h.percentile(100), greatest);
  EXPECT_EQ(h.percentile(34), Histogram::kExact + 63);  // 65536 and 65537 share the bucket 65536 … 65599
  std::vector<std::pair<std::uint64_t, std::uint64_t>> buckets;
  h.for_each([&](std::uint64_t lowest, std::uint64_t count) { buckets.emplace_back(lowest, count); });
  const std::uint64_t last = greatest - (std::uint64_t{1} << 53) + 1;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected = {
      {0, 1}, {Histogram::kExact - 1, 1}, {Histogram::kExact, 2}, {std::uint64_t{1} << 63, 1}, {last, 1}};
  EXPECT_EQ(buckets, expected);
}

}  // namespace flitmend
