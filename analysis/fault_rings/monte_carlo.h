// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "analysis/confidence.h"
#include "analysis/fault_rings/fault_pattern.h"
#include "base/survey_progress.h"

namespace flitmend {

/// An estimate of P_hit from random paths.
struct HitEstimate {
  std::uint64_t samples = 0;
  std::uint64_t hits = 0;
  double p_hit = 0;                     ///< hits / samples
  std::optional<ShareInterval> within;  ///< 95 % interval of p_hit (Wilson, confidence.h); none for 1 sample
};

/// Monte Carlo as in [Safaei11 section 4]: draws an ordered pair of healthy nodes weighted by its number of
/// minimal paths, then one of these paths uniformly, and counts the paths that meet X. Sample i depends only
/// on (seed, i / 4096), so the result is the same on any number of threads. Memory 8 bytes per node, time O(N
/// + samples · Σ R_i). Throws ConfigurationError: no sample; samples · Σ R_i beyond 10^12; fewer than one
/// drawn pair in a thousand healthy. `listener` counts samples.
HitEstimate estimate_p_hit(const FaultPattern&, FaultRegion, std::uint64_t samples, std::uint64_t seed,
                           unsigned jobs = 0, SurveyListener* listener = nullptr);

}  // namespace flitmend
