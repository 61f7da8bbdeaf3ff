// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/studies/study.h"
#include "program/commands/commands.h"
#include "program/commands/sweep_work.h"

namespace flitmend {

struct StudyEnd {
  ExitStatus status = ExitStatus::done;
  bool stopped = false;  ///< stopped by a signal: runs are missing, and nothing was judged
};

/// Runs the sweeps of a study in folders inside `work.folder`, judges its statements, prints and stores them,
/// and writes report.html. Exit status: contract_broken if a point broke the contract or crashed, else
/// unfinished if it was stopped, else not_borne_out if a statement does not hold, else that of the sweeps'
/// points. Throws ConfigurationError if the folder belongs to another study.
StudyEnd run_study(const Study&, const SweepWork& work, Command&);

}  // namespace flitmend
