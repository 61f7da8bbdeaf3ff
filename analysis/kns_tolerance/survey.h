// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "analysis/confidence.h"
#include "analysis/kns_tolerance/classifier.h"
#include "base/survey_progress.h"
#include "protocols/routing/intermediate_nodes/chooser.h"
#include "protocols/routing/intermediate_nodes/kns_shape.h"

namespace flitmend {

struct KnsSurveySettings {
  std::int64_t faults = 1;         ///< f, faulty links per combination, 0 … L
  unsigned max_intermediates = 2;  ///< x
  IntermediatePolicy policy = IntermediatePolicy::fewest;
  std::uint64_t seed = 1;              ///< of a sampled survey
  unsigned jobs = 0;                   ///< threads, 0: one per processor; never changes a result
  SurveyListener* listener = nullptr;  ///< counts combinations; not owned, may be null
};

/// Sums over combinations of f faulty links.
struct KnsSurvey {
  __extension__ using Count = unsigned __int128;

  bool exhaustive = false;
  std::uint64_t combinations = 0;  ///< visited
  std::uint64_t connected = 0;     ///< of those
  /// [x]: combinations in which every ordered pair is routable with at most x intermediates.
  std::array<std::uint64_t, KnsOutcome::kMaxIntermediates + 1> tolerated{};
  /// [x]: ordered pairs that use x intermediates, all combinations together.
  std::array<Count, KnsOutcome::kMaxIntermediates + 1> pairs{};
  Count unreachable = 0;
  /// Sums of squares, for the standard errors. [0]: pairs whose plain path is faulty, minus pairs_expected;
  /// [1]: pairs that use one intermediate, minus pairs_expected; [x]: pairs that use x. All are small
  /// compared with N², so nothing cancels in large networks.
  std::array<Count, KnsOutcome::kMaxIntermediates + 1> pair_squares{};
  std::uint64_t pairs_each = 0;      ///< N(N − 1)
  std::uint64_t pairs_expected = 0;  ///< f·2(k − 1)k^(n−1): faulty pairs if no path met two faults

  double share(std::uint64_t combinations_hit) const {
    return double(combinations_hit) / double(combinations);
  }
  /// Standard error of pair_share(pairs[x]); 0 where all combinations were visited.
  double pair_share_error(unsigned x) const;
  /// Intervals of a sampled survey, see confidence.h. None if all combinations were visited (the share is
  /// then exact), or for fewer than 2 samples. Combinations are independent; the pairs of one combination are
  /// not.
  std::optional<ShareInterval> interval(std::uint64_t combinations_hit, double confidence) const;
  std::optional<ShareInterval> pair_interval(unsigned x, double confidence) const;
  double pair_share(Count hit) const { return double(hit) / double(pairs_each) / double(combinations); }
};

// A combination of f links has c ≤ 2·f·n + 1 classes of routers (classifier.h). Time: O(c²) words of 64 bits
// per combination, and O(c) words per class and further intermediate. Memory: some c² bits per thread and
// intermediate. N does not matter.

/// Classifies every combination. Throws ConfigurationError if f > L, if there are more than
/// kMaxKnsCombinations, or if they would take more than kMaxKnsWork (limits.h).
KnsSurvey survey_all(const KnsShape& shape, const KnsSurveySettings& settings);

/// Classifies `samples` random combinations, uniform, without replacement of links. Sample i draws from its
/// own stream, so the same seed gives the same result for any number of threads. Throws ConfigurationError,
/// also if they would take more than kMaxKnsWork.
KnsSurvey survey_samples(const KnsShape& shape, const KnsSurveySettings& settings, std::uint64_t samples);

/// Only how many of `samples` random combinations (the same ones) are tolerated with max_intermediates.
/// Several times faster, because it stops as soon as every pair is known to be routable.
std::uint64_t count_tolerated(const KnsShape& shape, const KnsSurveySettings& settings,
                              std::uint64_t samples);

}  // namespace flitmend
