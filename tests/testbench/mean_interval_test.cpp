// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/mean_interval.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {
namespace {

double t_975(std::size_t degrees) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), 0.975);
}

/// One observation a batch.
std::vector<Batch> single(const std::vector<std::uint64_t>& values) {
  std::vector<Batch> batches;
  for (const std::uint64_t v : values) batches.push_back({v, 1});
  return batches;
}

/// t·s/√k of k equal batches.
double uncorrelated_half_width(const std::vector<double>& means) {
  const auto k = static_cast<double>(means.size());
  double mean = 0, squares = 0;
  for (const double m : means) mean += m / k;
  for (const double m : means) squares += (m - mean) * (m - mean);
  return t_975(means.size() - 1) * std::sqrt(squares / (k - 1) / k);
}

/// Means of neighbours.
std::vector<double> in_pairs(const std::vector<double>& means) {
  std::vector<double> pairs;
  for (std::size_t i = 0; i + 1 < means.size(); i += 2) pairs.push_back((means[i] + means[i + 1]) / 2);
  return pairs;
}

/// A number of mean 0 and variance 1, nearly normal.
double normal(RandomStream& random) {
  double sum = -2;
  for (int i = 0; i < 4; ++i) sum += random.uniform();
  return sum * std::sqrt(3.0);
}

constexpr std::size_t kBatches = 80;
constexpr std::size_t kPerBatch = 16;
constexpr double kScale = 1000;
constexpr double kOffset = 100000;

/// Batches of a series of kBatches·kPerBatch observations.
std::vector<Batch> batches_of(const std::function<double()>& next) {
  std::vector<Batch> batches(kBatches);
  for (Batch& b : batches)
    for (b.count = 0; b.count < kPerBatch; ++b.count)
      b.sum += static_cast<std::uint64_t>(std::round(kOffset + kScale * next()));
  return batches;
}

double mean_of(const std::vector<Batch>& batches) {
  double sum = 0;
  for (const Batch& b : batches) sum += static_cast<double>(b.sum);
  return (sum / (kBatches * kPerBatch) - kOffset) / kScale;
}

/// What came of the intervals of many series.
struct Coverage {
  double covered = 0;  ///< share of the stated intervals that hold the true mean
  double none = 0;     ///< share of the series that have no interval
  double width = 0;    ///< median of the half widths, of 1.96 standard deviations of the series' means
};

/// `next_of` makes the generator of a series.
Coverage coverage(double true_mean, const std::function<std::function<double()>(RandomStream&)>& next_of) {
  constexpr int kSeries = 800;  // the standard deviation of a share of .95 is .008
  std::vector<double> widths, means;
  int covered = 0;
  for (int s = 0; s < kSeries; ++s) {
    RandomStream random(3, RandomPurpose::test, static_cast<std::uint32_t>(s));
    const std::vector<Batch> batches = batches_of(next_of(random));
    const double mean = mean_of(batches);
    means.push_back(mean);
    const MeanInterval interval = mean_interval_95(batches);
    EXPECT_EQ(interval.half_width.has_value(), interval.reason.empty());
    if (!interval.half_width) continue;
    widths.push_back(*interval.half_width / kScale);
    covered += std::abs(mean - true_mean) <= widths.back();
  }
  double squares = 0;
  for (const double m : means) squares += (m - true_mean) * (m - true_mean) / kSeries;
  Coverage c;
  c.none = 1 - static_cast<double>(widths.size()) / kSeries;
  if (widths.empty()) return c;
  c.covered = covered / static_cast<double>(widths.size());
  std::nth_element(widths.begin(), widths.begin() + widths.size() / 2, widths.end());
  c.width = widths[widths.size() / 2] / (1.96 * std::sqrt(squares));
  return c;
}

/// Of x_t = φ·x_{t−1} + e_t, `times` correlation times long (0: independent), of which shape(x_t) is
/// observed.
Coverage of_ar1(double times, double true_mean, double (*shape)(double)) {
  const double phi = times == 0 ? 0 : std::exp(-times / (kBatches * kPerBatch));
  return coverage(true_mean, [=](RandomStream& random) {
    return [=, &random, x = normal(random)]() mutable {
      const double value = shape(x);
      x = phi * x + std::sqrt(1 - phi * phi) * normal(random);
      return value;
    };
  });
}

double as_it_is(double x) {
  return x;
}

}  // namespace

TEST(MeanInterval, NothingHasNone) {
  EXPECT_EQ(mean_interval_95({}).half_width, std::nullopt);
  const std::vector<Batch> empty(20);
  EXPECT_EQ(mean_interval_95(empty).half_width, std::nullopt);
  EXPECT_EQ(mean_interval_95(empty).reason, "there are no messages");
}

TEST(MeanInterval, FewBatchesHaveNone) {
  std::vector<Batch> batches = single({3, 5, 4, 3, 5, 4, 3, 4, 5});
  EXPECT_EQ(mean_interval_95(batches).half_width, std::nullopt);
  EXPECT_NE(mean_interval_95(batches).reason.find("too few"), std::string_view::npos);
  batches.insert(batches.begin() + 4, Batch{});  // an empty one does not count
  EXPECT_EQ(mean_interval_95(batches).half_width, std::nullopt);
  batches.push_back({4, 1});
  EXPECT_TRUE(mean_interval_95(batches).half_width.has_value());
}

TEST(MeanInterval, ConstantSeriesHasWidthZero) {
  EXPECT_EQ(mean_interval_95(single(std::vector<std::uint64_t>(100, 37))).half_width, 0.0);
}

TEST(MeanInterval, OfFewUncorrelatedBatchesIsTheUsual) {
  // Mean 14, squares 84: s² = 84/11, t(11) = 2.200985. Large and small ones take turns.
  const auto batches = single({12, 15, 11, 19, 14, 16, 9, 15, 13, 17, 12, 15});
  EXPECT_NEAR(mean_interval_95(batches).half_width.value(), 2.2009851601 * std::sqrt(84. / 11 / 12), 1e-9);
}

TEST(MeanInterval, OfUnequalBatchesIsTheRatioEstimators) {
  std::vector<Batch> batches;
  double n = 0, sum = 0, squares = 0;
  for (const std::uint64_t count : {1, 3, 2, 5, 1, 4, 2, 2, 3, 1, 5}) {
    batches.push_back({count * 10 + (batches.size() % 2 == 0 ? 4 : 0), count});
    n += static_cast<double>(count);
    sum += static_cast<double>(batches.back().sum);
  }
  for (const Batch& b : batches)
    squares += std::pow(static_cast<double>(b.sum) - sum / n * static_cast<double>(b.count), 2);
  EXPECT_NEAR(mean_interval_95(batches).half_width.value(), t_975(10) * std::sqrt(1.1 * squares) / n, 1e-9);
}

TEST(MeanInterval, OfManyUncorrelatedBatchesIsTheWidestOfThreeLengths) {
  RandomStream random(4, RandomPurpose::test);
  int of_longer = 0;
  for (int series = 0; series < 20; ++series) {
    std::vector<std::uint64_t> values;
    for (int i = 0; i < 128; ++i) values.push_back(random.below(500));
    std::vector<double> level(values.begin(), values.end());
    double widest = 0;
    std::size_t longest = 0;
    for (int i = 0; i < 3; ++i, level = in_pairs(level)) {
      const double half_width = uncorrelated_half_width(level);
      if (half_width > widest) longest = level.size();
      widest = std::max(widest, half_width);
    }
    const double found = mean_interval_95(single(values)).half_width.value();
    EXPECT_GE(found, widest * (1 - 1e-7));
    if (found < widest * (1 + 1e-7) && longest < 128) ++of_longer;
  }
  EXPECT_GE(of_longer, 5);
}

TEST(MeanInterval, LargeMeansLoseNothing) {
  // The same deviations on top of 10^12: floating sums of squares would drown them.
  std::vector<Batch> small, large;
  RandomStream random(6, RandomPurpose::test);
  for (int i = 0; i < 128; ++i) {
    const std::uint64_t sum = random.below(200);
    small.push_back({sum, 32});
    large.push_back({32 * 1000000000000u + sum, 32});
  }
  EXPECT_DOUBLE_EQ(mean_interval_95(small).half_width.value(), mean_interval_95(large).half_width.value());
}

TEST(MeanInterval, DriftHasNone) {
  for (const int slope : {1, -1}) {
    RandomStream random(7, RandomPurpose::test);
    // The noise is half as wide as the drift.
    int i = 0;
    const auto batches =
        batches_of([&] { return slope * 4.0 * i++ / (kBatches * kPerBatch) + 4 * normal(random); });
    const MeanInterval interval = mean_interval_95(batches);
    EXPECT_EQ(interval.half_width, std::nullopt);
    EXPECT_NE(interval.reason.find(slope > 0 ? "latency rises" : "latency falls"), std::string_view::npos)
        << interval.reason;
  }
}

TEST(MeanInterval, OneSlowSwingHasNone) {
  // Up and down again: no drift, but no second look at any of it either.
  int i = 0;
  const auto batches = batches_of([&] { return std::sin(3.14159265 * i++ / (kBatches * kPerBatch)); });
  EXPECT_EQ(mean_interval_95(batches).half_width, std::nullopt);
  EXPECT_NE(mean_interval_95(batches).reason.find("too slowly"), std::string_view::npos);
}

TEST(MeanInterval, CoversTheMeanOfIndependentSeries) {
  const Coverage c = of_ar1(0, 0, as_it_is);
  EXPECT_NEAR(c.covered, .965, .015);
  EXPECT_LT(c.none, .003);
  EXPECT_LT(c.width, 1.15);
}

// A window of 10 correlation times is worth 5 independent observations.
TEST(MeanInterval, CoversTheMeanOfCorrelatedSeries) {
  struct Case {
    double times, none, width;
  };
  for (const Case& c : {Case{1000, .003, 1.25}, Case{300, .003, 1.6}, Case{100, .003, 1.9},
                        Case{50, .005, 2.1}, Case{20, .02, 2.4}, Case{10, .1, 1.7}}) {
    const Coverage found = of_ar1(c.times, 0, as_it_is);
    EXPECT_GE(found.covered, .95) << c.times;
    EXPECT_LE(found.none, c.none) << c.times;
    EXPECT_LE(found.width, c.width) << c.times;
  }
}

TEST(MeanInterval, CoversTheMeanOfSkewedSeries) {
  // e^{.7x} has the mean e^{.245} and, like latencies near saturation, rare large values.
  for (const double times : {0., 300., 100., 50., 20., 10.}) {
    const Coverage c = of_ar1(times, std::exp(.245), [](double x) { return std::exp(.7 * x); });
    EXPECT_GE(c.covered, .9) << times;
    EXPECT_LE(c.none, .1) << times;
  }
}

TEST(MeanInterval, RandomWalksHaveNoneMostly) {
  const Coverage c = coverage(0, [](RandomStream& random) {
    return [&random, x = 0.0]() mutable { return x += normal(random) / 50; };
  });
  EXPECT_GT(c.none, .5);
}

// As tables print the 97.5 % quantile of Student's t.
TEST(Interval, HasTheQuantilesOfTables) {
  const auto quantile = [](std::size_t degrees) {
    std::vector<double> values(degrees + 1);  // the deviation of their mean is 1 in as many
    values.front() = 1;
    return interval_95(values).half_width * static_cast<double>(values.size());
  };
  EXPECT_NEAR(quantile(1), 12.706, 5e-4);
  EXPECT_NEAR(quantile(2), 4.303, 5e-4);
  EXPECT_NEAR(quantile(5), 2.571, 5e-4);
  EXPECT_NEAR(quantile(10), 2.228, 5e-4);
  EXPECT_NEAR(quantile(30), 2.042, 5e-4);
  EXPECT_NEAR(quantile(120), 1.980, 5e-4);
  EXPECT_NEAR(quantile(1'000'000), 1.960, 5e-4);
}

}  // namespace flitmend
