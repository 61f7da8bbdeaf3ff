// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/sweep_progress.h"
#include "exploration/sweeps/writer.h"

namespace flitmend {

/// Runs a sweep on a cluster: what is missing goes into one job array, each task of which runs a chunk into
/// results of its own; when the job has ended, these are merged. A job outlives whoever waits for it.
class SlurmSweep {
 public:
  /// `folder` holds the results of the plan's sweep; tasks see it under the same name.
  SlurmSweep(const SweepPlan& plan, const SweepIdentity& identity, SweepWriter& writer,
             std::filesystem::path folder);

  /// Whether an earlier start has left something to merge.
  bool begun() const;
  /// The job of an earlier start that has not ended; "" where there is none.
  std::string running_job() const;
  /// Takes over what the tasks have recorded.
  void merge();
  /// Waits for the job that runs, or submits one for what is missing and waits; merges. True where nothing is
  /// missing any more. False where `stop` was set: the job goes on. Throws ConfigurationError where Slurm
  /// refuses the job, WriteError where tasks ended with points missing.
  bool run(SweepProgressSink*, const std::atomic<bool>& stop);
  /// Removes what was for the tasks alone; nothing is missing.
  void clean_up();

 private:
  std::vector<std::int64_t> missing_units() const;
  std::vector<std::size_t> missing_tasks() const;
  void prepare();
  void submit_missing();
  bool wait(const std::string& job, SweepProgressSink*, const std::atomic<bool>& stop) const;

  const SweepPlan& plan_;
  const SweepIdentity& identity_;
  SweepWriter& writer_;
  std::filesystem::path folder_;
};

}  // namespace flitmend
