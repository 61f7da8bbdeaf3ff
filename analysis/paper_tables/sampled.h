// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/paper_tables/paper_table.h"
#include "analysis/probability_vectors/statistics.h"

namespace flitmend {

/// A mean over random fault sets, as a ratio of two sums (within / pairs, hops / delivered), with its
/// standard error.
struct SampledMean {
  double value = 0;
  double error = 0;  ///< standard error
};

/// Numerator and denominator of a ratio over one batch of fault sets.
struct BatchSums {
  double above = 0;
  double below = 0;
};
/// r = Σ above / Σ below over m ≥ 2 batches, error² = m/(m − 1) · Σ (above − r·below)² / (Σ below)². NaN if Σ
/// below is 0. O(m).
SampledMean sampled_mean(const std::vector<BatchSums>& batches);

/// The experiment with its fault sets and pairs split evenly into independent batches; all batches together
/// are the experiment.
std::vector<PvStatistics> in_batches(PvExperiment experiment, unsigned batches,
                                     const PaperTableOptions& options);

/// A printed sampled value against ours. The paper does not say how many fault sets it drew, so we assume as
/// many as ours: agrees iff |ours − printed| ≤ 1.96·√2·error + half a unit of the last printed digit.
PaperRow compare_sampled(std::string label, double printed, int decimals, const SampledMean& ours);

}  // namespace flitmend
