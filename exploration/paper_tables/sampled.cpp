// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/sampled.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/confidence.h"
#include "base/parallel.h"

namespace flitmend {
namespace {

constexpr double kConfidence = .95;

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double covariance(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean_a) * (b[i] - mean_b);
  return sum / static_cast<double>(a.size() - 1);
}

/// x of the positive definite system whose rows hold the matrix and, last, the right-hand side.
std::vector<double> solution_of(std::vector<std::vector<double>> rows) {
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = rows[r][i] / rows[i][i];
      for (std::size_t c = i; c <= n; ++c) rows[r][c] -= factor * rows[i][c];
    }
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(rows[i][n] / rows[i][i]);
  return x;
}

/// s of compare_sampled(), and 0 for a value that is the same in every sample.
double sample_error(const MeasuredRow& row, const PrintedSample& sample) {
  const SampledMean& ours = row.ours;
  const double pairs = row.share_of_pairs * sample.pairs;
  return std::sqrt(ours.error * ours.error + ours.between * ours.between / sample.fault_sets +
                   (pairs > 0 ? ours.within * ours.within / pairs : 0));
}

}  // namespace

SampledMean sampled_mean(const std::vector<FaultSetSums>& sets) {
  FaultSetSums sum;
  double below_squares = 0;
  for (const FaultSetSums& s : sets) {
    sum.above += s.above;
    sum.below += s.below;
    sum.squares += s.squares;
    below_squares += s.below * s.below;
  }
  SampledMean mean;
  mean.pairs = sum.below;
  mean.value = sum.above / sum.below;
  double squares = 0;
  for (const FaultSetSums& s : sets) {
    mean.by_set.push_back(s.below > 0 ? s.above / s.below : mean.value);
    const double off = s.above - mean.value * s.below;
    squares += off * off;
  }
  const auto m = static_cast<double>(sets.size());
  mean.error = std::sqrt(m / (m - 1) * squares) / sum.below;
  const double of_pairs =
      std::max(0.0, sum.squares - 2 * mean.value * sum.above + mean.value * mean.value * sum.below);
  const double more_than_one = below_squares - sum.below;
  const double between = more_than_one > 0 ? std::max(0.0, (squares - of_pairs) / more_than_one) : 0;
  mean.between = std::sqrt(between);
  mean.within = std::sqrt(std::max(0.0, of_pairs / sum.below - between));
  return mean;
}

ExpectedValue expected_from_others(const std::vector<MeasuredRow>& rows, std::size_t i) {
  const std::vector<double>& at = rows[i].ours.by_set;
  std::vector<const MeasuredRow*> others;
  for (const MeasuredRow& row : rows)
    if (&row != &rows[i] && covariance(row.ours.by_set, row.ours.by_set) > 0) others.push_back(&row);
  std::vector<std::vector<double>> system;
  for (const MeasuredRow* a : others) {
    std::vector<double>& equation = system.emplace_back();
    for (const MeasuredRow* b : others) equation.push_back(covariance(a->ours.by_set, b->ours.by_set));
    equation.push_back(covariance(a->ours.by_set, at));
  }
  const std::vector<double> weights = solution_of(system);
  ExpectedValue expected{rows[i].ours.value, covariance(at, at)};
  for (std::size_t o = 0; o < others.size(); ++o) {
    expected.value += weights[o] * (others[o]->printed - others[o]->ours.value);
    expected.deviation -= weights[o] * system[o].back();
  }
  expected.deviation = std::sqrt(std::max(0.0, expected.deviation));
  return expected;
}

std::vector<PvStatistics> by_fault_set(const PvExperiment& experiment, const PaperTableOptions& options) {
  const std::uint64_t sets = experiment.fault_sets;
  std::vector<PvStatistics> results(sets);
  parallel_for(thread_count(options.jobs, sets), sets, [&](std::size_t set) {
    PvExperiment one = experiment;
    one.fault_sets = 1;
    one.first_fault_set += static_cast<std::uint32_t>(set);
    one.pairs = experiment.pairs / sets + (set < experiment.pairs % sets ? 1 : 0);
    results[set] = probability_routing_statistics(one, options.seed, 1);
  });
  return results;
}

std::vector<PaperRow> compare_sampled(const std::vector<MeasuredRow>& rows, int decimals,
                                      const PrintedSample& sample) {
  const double rounding = .5 * std::pow(10.0, -decimals);
  const auto varying = std::count_if(
      rows.begin(), rows.end(), [&](const MeasuredRow& row) { return !(sample_error(row, sample) <= 0); });
  const double z = normal_quantile(1 - (1 - kConfidence) / static_cast<double>(std::max<long>(1, varying)));
  std::vector<PaperRow> judged;
  for (const MeasuredRow& row : rows)
    judged.push_back(compare_measured(row.label, row.printed, decimals, row.ours.value,
                                      rounding + z * sample_error(row, sample)));
  return judged;
}

}  // namespace flitmend
