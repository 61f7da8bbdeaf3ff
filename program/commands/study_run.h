// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/studies/study.h"
#include "program/commands/command.h"
#include "program/commands/sweep_work.h"

namespace flitmend {

struct StudyEnd {
  ExitStatus status = ExitStatus::done;
  bool stopped = false;  ///< by a signal: runs are missing, and nothing was judged
};

/// Runs the sweeps of a study into folders inside `work.folder`, judges its statements, prints and stores
/// them, and writes report.html. What it tells the caller: contract_broken where a point broke the contract
/// or crashed, else unfinished where it was stopped, else not_borne_out where a statement does not hold, else
/// what the points of a sweep say. Throws ConfigurationError where the folder is another study's.
StudyEnd run_study(const Study&, const SweepWork& work, Command&);

}  // namespace flitmend
