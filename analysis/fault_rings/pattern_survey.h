// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/fault_rings/pair_hits.h"
#include "analysis/fault_rings/random_patterns.h"
#include "base/survey_progress.h"

namespace flitmend {

/// Random fault patterns with different numbers of faulty nodes [Safaei11 section 4].
struct PatternSurvey {
  MeshShape mesh;
  std::vector<std::uint32_t> faulty_nodes;
  PatternShape shape = PatternShape::block;
  std::uint32_t regions = 1;
  std::uint64_t patterns = 1000;  ///< for each number of faulty nodes
  FaultRegion region = FaultRegion::ring;
};

/// A mean over patterns.
struct PatternMean {
  double mean = 0;
  double least = 1, most = 0;  ///< of one pattern
  /// 95 % interval, from the spread between patterns (confidence.h). None for one pattern.
  std::optional<ShareInterval> within;
};

/// What the patterns with one number of faulty nodes are like.
struct PatternResult {
  std::uint32_t faulty_nodes = 0;
  std::uint64_t patterns = 0;
  std::uint64_t rejected = 0;  ///< draws that did not fit (RandomPatterns)
  std::uint64_t f_rings = 0;   ///< patterns whose ring is not cut at the border
  double ring_nodes = 0;       ///< mean
  PatternMean of_paths;        ///< P_hit of a pattern: each minimal path counted once [Safaei11 eq. 20]
  PatternMean of_pairs;        ///< mean P_hit of the pairs of a pattern, each pair counted once
  PairHits pairs;              ///< of all patterns together
};

/// One result for each number of faulty nodes, in their order. P_hit of each pattern is exact. Pattern i with
/// f faulty nodes depends only on (seed, f, i), so the result is the same on any number of threads (`jobs`;
/// 0: one per processor). O(patterns · (n·N² + 3^n·n·N·w)). Throws ConfigurationError: no pattern; no number
/// of faulty nodes, or one twice; what RandomPatterns refuses; work of hours. `listener` counts patterns.
std::vector<PatternResult> survey_patterns(const PatternSurvey&, std::uint64_t seed, unsigned jobs = 0,
                                           SurveyListener* listener = nullptr);

}  // namespace flitmend
