// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "analysis/fault_rings/fault_pattern.h"
#include "analysis/survey_progress.h"

namespace flitmend {

using BigCount = boost::multiprecision::cpp_int;

/// Minimal paths between two healthy nodes, summed over all ordered pairs, a = b (one path, of one node)
/// included. Exact.
struct PathCounts {
  BigCount total;    ///< all of them, those through faulty nodes included (eq. 7)
  BigCount missing;  ///< those that avoid the region X, ends included (eq. 19)

  /// P_miss = missing / total (eqs. 20–22), correctly rounded but for 2^-60 of relative error.
  double p_miss() const;
  /// P_hit = 1 − P_miss, from (total − missing) / total: no cancellation where it is small.
  double p_hit() const;
};

/// Sweep method: for every sign vector τ ∈ {0, +, −}^n one pass over the mesh,
///   T(b) = [b ∉ X]·(1 + Σ_{τ_i≠0} T(b − τ_i·e_i)),   missing = Σ_τ (−1)^{n−|τ|} Σ_b T(b),
/// and the same with every healthy node for the total. Exact integers in fixed-width limbs. Time
/// O(3^n · n · N · w), w the 58-bit words of a count; memory O(w · N / max R_i) a thread. The same on any
/// number of threads (`jobs`, 0: one a processor). Throws ConfigurationError where it would take hours.
/// `listener` hears of nodes of all passes.
PathCounts count_paths_by_sweep(const FaultPattern&, FaultRegion, unsigned jobs = 0,
                                SurveyListener* listener = nullptr);

/// The paper's method: for every pair (a, b) outside X the determinant of eqs. 13 and 14, exact. The
/// triangular part of the matrix is solved once for all b in an orthant of a: time
/// O(N·2^n·m² + pairs·m), m the nodes of X in the orthant, instead of O(pairs·m³). Throws ConfigurationError
/// where it would take hours. `listener` hears of sources.
PathCounts count_paths_by_determinant(const FaultPattern&, FaultRegion, unsigned jobs = 0,
                                      SurveyListener* listener = nullptr);

/// The matrix of eq. 14 for one pair, with C_0 = a, C_1 … C_m = X ∩ box(a, b) in any order: row 0 has target
/// b, row k target C_k; an entry is the number of minimal paths along a → b (eq. 10), 0 against it (eq. 11).
/// For a test of the method; O(m²·n).
std::vector<std::vector<BigCount>> path_matrix(const FaultPattern&, FaultRegion, MeshShape::Node a,
                                               MeshShape::Node b);

}  // namespace flitmend
