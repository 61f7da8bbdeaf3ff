// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// The comparisons of a statement over these sweeps, at each point that its curves share: pairs of curves
/// (consecutive ones for ordered, all for tie), or a curve with its bounds. Reports what cannot be compared:
/// values that no point has, curves with different points or seeds, a single seed. `quick`: values under
/// `near` at points that the sweep does not have are ignored.
std::vector<Comparison> comparisons_of(const StatementSpec&, const std::vector<std::unique_ptr<StudySweep>>&,
                                       bool quick, ErrorList&);

}  // namespace flitmend
