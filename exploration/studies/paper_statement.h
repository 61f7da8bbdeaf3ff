// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// Judges a statement about a published table: a part for each of its rows, which fails where ours deviates
/// from the print and holds where it agrees, or agrees with what was meant by a known misprint. `jobs`:
/// threads, 0: one a processor.
JudgedStatement judge_paper_table(const StudyStatement&, unsigned jobs);

}  // namespace flitmend
