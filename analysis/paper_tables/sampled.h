// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/paper_tables/paper_table.h"
#include "analysis/probability_vectors/statistics.h"

namespace flitmend {

/// A mean over random fault sets, a ratio of two sums (within / pairs, hops / delivered), and how sure it is.
struct SampledMean {
  double value = 0;
  double error = 0;  ///< standard error
};

/// Numerator and denominator of a ratio over one batch of fault sets.
struct BatchSums {
  double above = 0;
  double below = 0;
};
/// r = Σ above / Σ below over m ≥ 2 batches, error² = m/(m − 1) · Σ (above − r·below)² / (Σ below)². Not a
/// number where Σ below is 0. O(m).
SampledMean sampled_mean(const std::vector<BatchSums>& batches);

/// The experiment, its fault sets and pairs split evenly into batches that are independent; all of them
/// together are the experiment.
std::vector<PvStatistics> in_batches(PvExperiment experiment, unsigned batches,
                                     const PaperTableOptions& options);

/// A printed sampled value against ours. The paper does not tell how many fault sets it drew, so this takes
/// as many as ours: agrees iff |ours − printed| ≤ 1.96·√2·error + half a unit of the last printed digit.
PaperRow compare_sampled(std::string label, double printed, int decimals, const SampledMean& ours);

}  // namespace flitmend
