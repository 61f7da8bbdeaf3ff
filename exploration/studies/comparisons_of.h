// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "exploration/studies/statement_spec.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// What a statement compares in these sweeps: for each point that its curves share, each two curves in turn,
/// or a curve and its bounds. What cannot be compared is reported: values that no point has, curves with
/// different points or seeds, a single seed. `quick`: values to be near to at points that the sweep does not
/// have are left out.
std::vector<Comparison> comparisons_of(const StatementSpec&, const std::vector<std::unique_ptr<StudySweep>>&,
                                       bool quick, ErrorList&);

}  // namespace flitmend
