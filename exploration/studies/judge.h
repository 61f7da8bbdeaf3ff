// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"
#include "exploration/studies/study_results.h"

namespace flitmend {

/// Judges a comparison: the quantity of each seed, their mean and its 95 % confidence interval by Student's
/// t. It holds where the whole interval lies within the bounds, fails where no part of it does. A run that
/// did not end well makes it fail, by name; one that is missing leaves it undecided. `results`: as the
/// study's sweeps.
JudgedPart judge(const Comparison&, const std::vector<StudyResults>& results);

/// Judges a statement, computing its published table where it is about one.
JudgedStatement judge(const StudyStatement&, const std::vector<StudyResults>& results, unsigned jobs);

}  // namespace flitmend
