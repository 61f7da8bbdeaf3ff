// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/probability_vectors/statistics.h"
#include "exploration/paper_tables/paper_table.h"

namespace flitmend {

/// Pairs of one fault set: numerator and denominator of a ratio (within / pairs, hops / delivered). Every
/// pair adds a to the numerator and 1 to the denominator, or nothing to both.
struct FaultSetSums {
  double above = 0;    ///< Σ a
  double below = 0;    ///< how many pairs were counted
  double squares = 0;  ///< Σ a²
};

/// A ratio over random fault sets, with the two deviations of which samples of it are made.
struct SampledMean {
  double value = 0;
  double error = 0;            ///< standard error of `value`
  double between = 0;          ///< standard deviation between fault sets, over all pairs of each
  double within = 0;           ///< standard deviation between the pairs of one fault set
  double pairs = 0;            ///< drawn, Σ below
  std::vector<double> by_set;  ///< the ratio of every fault set; `value` for a set without pairs
};
/// r = Σ above / Σ below over m ≥ 2 fault sets; error² = m/(m − 1) · Σ o² / (Σ below)², o = above − r·below.
/// With τ² = between² and ω² = within², o² of a set with b pairs is b²τ² + bω² in the mean and a pair's
/// square τ² + ω², which gives τ² = (Σ o² − Q) / (Σ b² − Σ b), Q = Σ (a − r)² over all pairs; τ² is at least
/// 0. NaN if Σ below is 0. O(m).
SampledMean sampled_mean(const std::vector<FaultSetSums>& sets);

/// How many fault sets our samples of printed tables draw.
inline constexpr std::uint64_t kFaultSets = 600;

/// The experiment fault set by fault set; together they are the experiment.
std::vector<PvStatistics> by_fault_set(const PvExperiment& experiment, const PaperTableOptions& options);

/// The sample behind a printed table: `pairs` pairs, spread evenly over `fault_sets` random fault sets.
struct PrintedSample {
  double fault_sets = 2;
  double pairs = 300000;
};
/// A printed measured value and the sample of ours it is compared with.
struct MeasuredRow {
  std::string label;
  double printed = 0;
  SampledMean ours;
  double share_of_pairs = 1;  ///< of all pairs of a sample, those that this value is a mean over
};

/// Rows of one table, judged together: with probability .95 a sample like the printed one agrees in all of
/// them, if its values are normal. Agrees iff |ours − printed| ≤ z·s + half a unit of the last printed digit,
///   s² = error² + between²/fault_sets + within²/(share_of_pairs·pairs),
/// z the two-sided normal quantile of 1 − .05/rows [Bonferroni]. Rows that cannot differ (s = 0) do not
/// count.
std::vector<PaperRow> compare_sampled(const std::vector<MeasuredRow>& rows, int decimals,
                                      const PrintedSample& sample);

/// What the printed values of a sample's other rows say about row i: the mean of ours, shifted by linear
/// regression over the fault sets. The rows are of one network, each from the same fault sets.
struct ExpectedValue {
  double value = 0;
  double deviation = 0;  ///< standard deviation of a fault set around `value`
};
ExpectedValue expected_from_others(const std::vector<MeasuredRow>& rows, std::size_t i);

/// The most fault sets, up to `limit`, of which the printed sample may consist if no row is to deviate; 0 if
/// one deviates for sample.fault_sets, the fewest. `judge` judges the rows for a sample. Agreement only
/// shrinks with more fault sets.
template <class Judge>
unsigned most_fault_sets(unsigned limit, PrintedSample sample, Judge judge) {
  unsigned most = 0;
  for (auto sets = static_cast<unsigned>(sample.fault_sets); sets <= limit; ++sets) {
    sample.fault_sets = sets;
    for (const PaperRow& row : judge(sample))
      if (row.verdict == PaperVerdict::deviates) return most;
    most = sets;
  }
  return most;
}

}  // namespace flitmend
