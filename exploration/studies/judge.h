// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"
#include "exploration/studies/study_results.h"

namespace flitmend {

/// Judges a comparison: the quantity of each seed, their mean and its 95 % confidence interval by Student's
/// t. It holds if the whole interval is within the bounds, and fails if no part of it is. A run that did not
/// end well makes it fail and is named; a missing run leaves it undecided. `results`: in the order of the
/// study's sweeps.
JudgedPart judge(const Comparison&, const std::vector<StudyResults>& results);

/// Judges a statement. If it is about a published table, computes the table.
JudgedStatement judge(const StudyStatement&, const std::vector<StudyResults>& results, unsigned jobs);

}  // namespace flitmend
