// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/confidence.h"
#include "analysis/fault_rings/fault_pattern.h"
#include "base/survey_progress.h"

namespace flitmend {

using BigCount = boost::multiprecision::cpp_int;

/// Minimal paths between two healthy nodes, summed over all ordered pairs, including a = b (one path of one
/// node). Exact.
struct PathCounts {
  BigCount total;    ///< all of them, including those through faulty nodes [Safaei11 eq. 7]
  BigCount missing;  ///< those that avoid the region X, end nodes included [Safaei11 eq. 19]

  /// P_miss = missing / total [Safaei11 eq. 20–22], correctly rounded up to a relative error of 2^-60.
  double p_miss() const;
  /// P_hit = 1 − P_miss, computed as (total − missing) / total, so a small P_hit keeps its digits.
  double p_hit() const;
};

/// Sweep method: for every sign vector τ ∈ {0, +, −}^n one pass over the mesh,
///   T(b) = [b ∉ X]·(1 + Σ_{τ_i≠0} T(b − τ_i·e_i)),   missing = Σ_τ (−1)^{n−|τ|} Σ_b T(b),
/// and the same over all healthy nodes for the total. Exact integers in fixed-width limbs. Time O(3^n · n · N
/// · w), where w is the number of 58-bit words of a count; memory O(w · N / max R_i) per thread. The result
/// is the same on any number of threads (`jobs`; 0: one per processor). Throws ConfigurationError if it would
/// take hours. `listener` counts nodes of all passes.
PathCounts count_paths_by_sweep(const FaultPattern&, FaultRegion, unsigned jobs = 0,
                                SurveyListener* listener = nullptr);

/// The paper's method: for every pair (a, b) outside X the determinant of [Safaei11 eq. 13, 14], exact. The
/// triangular part of the matrix is solved once for all b in an orthant of a: time O(N·2^n·m² + pairs·m),
/// with m nodes of X in the orthant, instead of O(pairs·m³). Throws ConfigurationError if it would take
/// hours. `listener` counts sources.
PathCounts count_paths_by_determinant(const FaultPattern&, FaultRegion, unsigned jobs = 0,
                                      SurveyListener* listener = nullptr);

/// The matrix of [Safaei11 eq. 14] for one pair, with C_0 = a, C_1 … C_m = X ∩ box(a, b) in any order. Row 0
/// has target b, row k target C_k. An entry is the number of minimal paths along a → b (eq. 10), or 0 against
/// that direction (eq. 11). For a test of the method; O(m²·n).
std::vector<std::vector<BigCount>> path_matrix(const FaultPattern&, FaultRegion, MeshShape::Node a,
                                               MeshShape::Node b);

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
