// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "analysis/fault_rings/fault_pattern.h"
#include "base/survey_progress.h"

namespace flitmend {

/// By destination: the share of the minimal paths from `source` that meet X, end nodes included, each path
/// equally likely [Safaei11 section 4]. 0 and 1 are exact. The source is healthy; entries of faulty
/// destinations mean nothing. O(n·N).
std::vector<double> pair_hits_from(const FaultPattern&, FaultRegion, MeshShape::Node source);

/// P_hit of every ordered pair of different healthy nodes, each pair counted once.
struct PairHits {
  static constexpr unsigned kTenths = 10;

  std::uint64_t pairs = 0;
  std::uint64_t never = 0;   ///< pairs none of whose minimal paths meets X
  std::uint64_t always = 0;  ///< pairs all of whose minimal paths do
  double sum = 0;            ///< of P_hit
  /// Pairs with 0 < P_hit < 1 by their P_hit: [0, .1), [.1, .2), ….
  std::array<std::uint64_t, kTenths> between{};

  /// 0 without pairs.
  double mean() const { return pairs ? sum / static_cast<double>(pairs) : 0; }
  PairHits& operator+=(const PairHits&);
};

/// The steps that survey_pairs() takes, n·N².
double pair_steps(const MeshShape&);

/// O(n·N²); the same on any number of threads (`jobs`; 0: one per processor). Throws ConfigurationError if it
/// would take hours. `listener` counts sources.
PairHits survey_pairs(const FaultPattern&, FaultRegion, unsigned jobs = 0,
                      SurveyListener* listener = nullptr);

}  // namespace flitmend
