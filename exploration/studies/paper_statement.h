// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// Judges a statement about a published table, one part per row. A part fails if ours deviates from the
/// print; it holds if ours agrees with the print, or with the value meant by a known misprint. `jobs`:
/// threads, 0: one per processor.
JudgedStatement judge_paper_table(const StudyStatement&, unsigned jobs);

}  // namespace flitmend
