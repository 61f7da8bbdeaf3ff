// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/judgement.h"
#include "exploration/studies/study.h"

namespace flitmend {

/// Judges a statement about a published table, one part per row. A part fails if ours deviates from the
/// print; it holds if ours agrees with the print, with the value meant by a known misprint, or with a second
/// witness that refutes the print. `jobs`: threads, 0: one per processor.
JudgedStatement judge_paper_table(const StudyStatement&, unsigned jobs);
/// The same for a table that is computed.
JudgedStatement judge_paper_table(const StudyStatement&, const PaperTable& table);

}  // namespace flitmend
