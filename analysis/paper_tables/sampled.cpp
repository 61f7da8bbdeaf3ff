// SPDX-License-Identifier: Apache-2.0
#include "analysis/paper_tables/sampled.h"

#include <cmath>

namespace flitmend {
namespace {

constexpr double kNormal95 = 1.959963984540054;

}  // namespace

SampledMean sampled_mean(const std::vector<BatchSums>& batches) {
  BatchSums sum;
  for (const BatchSums& b : batches) {
    sum.above += b.above;
    sum.below += b.below;
  }
  SampledMean mean;
  mean.value = sum.above / sum.below;
  double squares = 0;
  for (const BatchSums& b : batches) {
    const double off = b.above - mean.value * b.below;
    squares += off * off;
  }
  const auto m = static_cast<double>(batches.size());
  mean.error = std::sqrt(m / (m - 1) * squares) / sum.below;
  return mean;
}

std::vector<PvStatistics> in_batches(PvExperiment experiment, unsigned batches,
                                     const PaperTableOptions& options) {
  experiment.pairs /= batches;
  experiment.fault_sets /= batches;
  std::vector<PvStatistics> results;
  for (unsigned b = 0; b < batches; ++b) {
    results.push_back(probability_routing_statistics(experiment, options.seed, options.jobs));
    experiment.first_fault_set += static_cast<std::uint32_t>(experiment.fault_sets);
  }
  return results;
}

PaperRow compare_sampled(std::string label, double printed, int decimals, const SampledMean& ours) {
  const double rounding = .5 * std::pow(10.0, -decimals);
  return compare_measured(std::move(label), printed, decimals, ours.value,
                          rounding + kNormal95 * std::sqrt(2.0) * ours.error);
}

}  // namespace flitmend
