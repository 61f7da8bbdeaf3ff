// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/batch_means.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {
namespace {

/// A number of mean 0 and variance 1, nearly normal; near enough, because a batch sums dozens of them.
double normal(RandomStream& random) {
  double sum = -2;
  for (int i = 0; i < 4; ++i) sum += random.uniform();
  return sum * std::sqrt(3.0);
}

/// Share of series whose 95 % interval contains the true mean. x_t − µ = φ·(x_{t−1} − µ) + e_t, one
/// observation per cycle.
double coverage(double phi, int length, int series) {
  constexpr double kMean = 100000;
  int held = 0;
  for (int s = 0; s < series; ++s) {
    RandomStream random(3, RandomPurpose::test, static_cast<std::uint32_t>(s));
    BatchMeans batches;
    double sum = 0;
    double x = normal(random) / std::sqrt(1 - phi * phi);
    for (int t = 0; t < length; ++t) {
      const double rounded = std::round(kMean + 1000 * x);
      batches.add(static_cast<Cycle>(t), static_cast<std::uint64_t>(rounded));
      sum += rounded;
      x = phi * x + normal(random);
    }
    held += std::abs(sum / length - kMean) <= batches.ci95().value();
  }
  return static_cast<double>(held) / series;
}

}  // namespace

TEST(BatchMeans, FewerThanTwoBatchesHaveNoInterval) {
  BatchMeans b;
  EXPECT_EQ(b.ci95(), std::nullopt);
  b.add(5, 10);
  b.add(5, 30);
  EXPECT_EQ(b.ci95(), std::nullopt);
  b.add(6, 20);
  EXPECT_TRUE(b.ci95().has_value());
}

TEST(BatchMeans, ConstantSeriesHasWidthZero) {
  BatchMeans b;
  for (Cycle t = 0; t < 1000; ++t) b.add(t, 37);
  EXPECT_EQ(b.ci95(), 0.0);
}

TEST(BatchMeans, OneObservationABatchIsTheUsualInterval) {
  BatchMeans b;
  const std::vector<std::uint64_t> values = {12, 15, 11, 19, 14};
  for (std::size_t i = 0; i < values.size(); ++i) b.add(i * 3, values[i]);
  // mean 14.2, s² = Σ(x − 14.2)²/4 = 9.7, t(4) = 2.776445
  EXPECT_NEAR(b.ci95().value(), 2.7764451052 * std::sqrt(9.7 / 5), 1e-9);
}

TEST(BatchMeans, AgreesWithDirectComputationOnEqualBatches) {
  // 2048 cycles, one observation each: 32 batches of 64.
  RandomStream random(4, RandomPurpose::test);
  BatchMeans b;
  std::vector<double> batch_mean(32);
  for (Cycle t = 0; t < 2048; ++t) {
    const std::uint64_t v = random.below(500);
    b.add(t, v);
    batch_mean[t / 64] += static_cast<double>(v) / 64;
  }
  EXPECT_EQ(b.batches(), 32u);
  EXPECT_EQ(b.batch_cycles(), 64u);
  double mean = 0, squares = 0;
  for (double m : batch_mean) mean += m / 32;
  for (double m : batch_mean) squares += (m - mean) * (m - mean);
  const double half =
      boost::math::quantile(boost::math::students_t(31), 0.975) * std::sqrt(squares / 31 / 32);
  EXPECT_NEAR(b.ci95().value(), half, 1e-9 * half);
}

TEST(BatchMeans, AgreesWithTheRatioEstimatorOnUnequalBatches) {
  // Batch sums 10, 40, 60 of 1, 2, 5 observations: x̄ = 110/8 = 13.75.
  BatchMeans b;
  b.add(0, 10);
  b.add(1, 15), b.add(1, 25);
  for (std::uint64_t v : {8, 10, 12, 14, 16}) b.add(2, v);
  const double d0 = 10 - 13.75, d1 = 40 - 27.5, d2 = 60 - 68.75;
  const double half = 4.3026527297 * std::sqrt(1.5 * (d0 * d0 + d1 * d1 + d2 * d2)) / 8;
  EXPECT_NEAR(b.ci95().value(), half, 1e-9);
}

TEST(BatchMeans, NumberOfBatchesStaysBetween17And32) {
  for (Cycle length : {33u, 64u, 65u, 1000u, 10000u, 99999u}) {
    BatchMeans b;
    for (Cycle t = 0; t < length; ++t) b.add(t, t);
    EXPECT_GE(b.batches(), 17u) << length;
    EXPECT_LE(b.batches(), 32u) << length;
  }
}

TEST(BatchMeans, OrderDoesNotMatter) {
  RandomStream random(5, RandomPurpose::test);
  std::vector<std::pair<Cycle, std::uint64_t>> series;
  for (int i = 0; i < 5000; ++i) series.emplace_back(random.below(100000), random.below(1000));
  BatchMeans forward, backward;
  for (auto i = series.begin(); i != series.end(); ++i) forward.add(i->first, i->second);
  for (auto i = series.rbegin(); i != series.rend(); ++i) backward.add(i->first, i->second);
  EXPECT_EQ(forward.ci95(), backward.ci95());
  EXPECT_EQ(forward.batch_cycles(), backward.batch_cycles());
}

TEST(BatchMeans, TakesTheLastCycleOfAll) {
  BatchMeans b;
  b.add(0, 1);
  b.add(kNever, 3);
  EXPECT_EQ(b.batches(), 2u);
  EXPECT_NEAR(b.ci95().value(), 12.7062047362, 1e-9);  // t(1)·s/√2, s = √2
}

TEST(BatchMeans, LargeSumsLoseNothing) {
  // The same deviations on top of 10^12 cycles: floating-point sums of squares would lose them.
  BatchMeans small, large;
  RandomStream random(6, RandomPurpose::test);
  for (Cycle t = 0; t < 4096; ++t) {
    const std::uint64_t v = random.below(8);
    small.add(t, v);
    large.add(t, 1000000000000u + v);
  }
  EXPECT_DOUBLE_EQ(small.ci95().value(), large.ci95().value());
}

// 600 series: the standard deviation of the share is 0.9 %.
TEST(BatchMeans, CoversTheMeanOfIndependentSeries) {
  EXPECT_NEAR(coverage(0.0, 2048, 600), 0.95, 0.025);
}

TEST(BatchMeans, CoversTheMeanOfCorrelatedSeries) {
  // φ = 0.8: an interval for independent observations would contain about half of the means.
  EXPECT_NEAR(coverage(0.8, 6400, 600), 0.95, 0.03);
}

}  // namespace flitmend
