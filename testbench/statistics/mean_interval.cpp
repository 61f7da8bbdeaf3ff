// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "analysis/confidence.h"

namespace flitmend {
namespace {

constexpr std::size_t kFewestBatches = 10;          // to estimate their correlation
constexpr std::size_t kFewestMerged = 16;           // of merged batches, and to look for a drift
constexpr int kLengths = 3;                         // single batches, twos, fours
constexpr double kOneSided95 = 1.6448536269514722;  // quantiles of the normal distribution
constexpr double kOneSided98 = 2.0537489106318225;
constexpr double kDrift = .75;            // correlation with time
constexpr double kFewestIndependent = 3;  // independent batches that k correlated ones are worth

/// The 97.5 % quantile of Student's t, for a two-sided 95 % interval; at least one degree of freedom.
double students_t_975(std::size_t degrees_of_freedom) {
  // Rounded, because the last bit of exp, log and pow in the C library differs between processors.
  constexpr double kDecimals = 1e12;
  return std::round(students_t_quantile(static_cast<double>(degrees_of_freedom), 0.975) * kDecimals) /
         kDecimals;
}

std::vector<Batch> not_empty(std::span<const Batch> batches) {
  std::vector<Batch> found;
  for (const Batch& b : batches)
    if (b.count != 0) found.push_back(b);
  return found;
}

std::vector<Batch> in_pairs(const std::vector<Batch>& batches) {
  std::vector<Batch> pairs((batches.size() + 1) / 2);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    pairs[i / 2].sum += batches[i].sum;
    pairs[i / 2].count += batches[i].count;
  }
  return pairs;
}

/// n·S_b − S·n_b = n·(S_b − x̄·n_b) of each batch b, for n observations with sum S. Computed in whole numbers,
/// so small differences between large means are not lost.
std::vector<double> deviations(const std::vector<Batch>& batches, const Batch& all) {
  std::vector<double> d;
  d.reserve(batches.size());
  for (const Batch& b : batches)
    d.push_back(static_cast<double>(static_cast<__int128>(all.count) * b.sum -
                                    static_cast<__int128>(all.sum) * b.count));
  return d;
}

double sum_of_squares(const std::vector<double>& d) {
  double sum = 0;
  for (const double x : d) sum += x * x;
  return sum;
}

/// Lag-1 autocorrelation from von Neumann's ratio [VonNeumann41]; 0 on average for independent batches.
double lag_1(const std::vector<double>& d, double squares) {
  double differences = 0;
  for (std::size_t i = 1; i < d.size(); ++i) differences += (d[i] - d[i - 1]) * (d[i] - d[i - 1]);
  return 1 - differences / (2 * squares);
}

/// Variance of the mean of k batches, relative to independent ones, if the correlation at lag j is φ^j.
double inflation(double phi, std::size_t batches) {
  const auto k = static_cast<double>(batches);
  double sum = 0, power = 1;
  for (std::size_t j = 1; j < batches; ++j) {
    power *= phi;
    sum += (1 - static_cast<double>(j) / k) * power;
  }
  return std::min(1 + 2 * sum, k / kFewestIndependent);
}

/// The half width times the square of the number of observations; none if the series does not return to its
/// mean.
std::optional<double> scaled_half_width(const std::vector<double>& d) {
  const auto k = static_cast<double>(d.size());
  const double squares = sum_of_squares(d);
  if (squares == 0) return 0.0;  // constant observations
  const double r = lag_1(d, squares);
  const double phi = r * (1 + 3 / k);  // r is too low by about 3φ/k [Kendall54]
  if (phi >= 1) return std::nullopt;
  double a = 1;
  if (r > kOneSided95 * std::sqrt((k - 2) / (k * k - 1)))
    a = inflation(std::min(phi + kOneSided98 * std::sqrt((1 - phi * phi) / k), 1.0), d.size());
  // Σ d² about the mean of correlated batches has the expectation (k − a)·σ², not (k − 1)·σ².
  return students_t_975(d.size() - 1) * std::sqrt(a * k / (k - a) * squares);
}

/// Correlation of batches with time: 1 on a rising line, −1 on a falling one.
double correlation_with_time(const std::vector<double>& d) {
  const double squares = sum_of_squares(d);
  if (squares == 0) return 0;
  const auto k = static_cast<double>(d.size());
  double product = 0;  // the sum of d is 0
  for (std::size_t i = 0; i < d.size(); ++i) product += (static_cast<double>(i) - (k - 1) / 2) * d[i];
  return product / std::sqrt(squares * k * (k * k - 1) / 12);
}

}  // namespace

MeanInterval mean_interval_95(std::span<const Batch> batches) {
  std::vector<Batch> level = not_empty(batches);
  if (level.empty()) return {std::nullopt, "there are no messages"};
  if (level.size() < kFewestBatches)
    return {std::nullopt, "the messages are too few, or too close together in time"};
  Batch all;
  for (const Batch& b : level) {
    all.sum += b.sum;
    all.count += b.count;
  }
  double half_width = 0;
  bool settles = true;
  std::vector<double> d = deviations(level, all);
  for (int i = 0;; ++i) {
    const std::optional<double> scaled = scaled_half_width(d);
    settles = settles && scaled;
    half_width = std::max(half_width, scaled.value_or(0));
    if (i + 1 == kLengths || (level.size() + 1) / 2 < kFewestMerged) break;
    level = in_pairs(level);
    d = deviations(level, all);
  }
  const double drift = level.size() < kFewestMerged ? 0 : correlation_with_time(d);
  if (drift > kDrift)
    return {std::nullopt,
            "latency rises over the measured window: the network is saturated, was still warming up, or the "
            "window is too short"};
  if (drift < -kDrift)
    return {std::nullopt,
            "latency falls over the measured window: the network was still warming up, or the window is too "
            "short"};
  if (!settles) return {std::nullopt, "latency varies too slowly for the length of the measured window"};
  const auto n = static_cast<double>(all.count);
  return {half_width / (n * n), ""};
}

void BatchMeans::merge() {
  for (unsigned i = 0; i < kBatches / 2; ++i) {
    const Batch& first = batches_[2 * i];
    const Batch& second = batches_[2 * i + 1];
    batches_[i] = {first.sum + second.sum, first.count + second.count};
  }
  for (unsigned i = kBatches / 2; i < kBatches; ++i) batches_[i] = {};
  ++shift_;
}

unsigned BatchMeans::batches() const {
  unsigned k = 0;
  for (const Batch& b : batches_) k += b.count != 0;
  return k;
}

Interval interval_95(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    return {values.front(), 0};  // rounding of their sum must not count as spread
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, students_t_975(values.size() - 1) * std::sqrt(squares / (n - 1) / n)};
}

}  // namespace flitmend
