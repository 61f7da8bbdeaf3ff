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

/// Runs units of a sweep on a cluster. The missing points go into one job array, whose tasks each run a chunk
/// and record results of their own; when the job has ended, these are merged. A job continues if the process
/// that waits for it ends.
class SlurmSweep {
 public:
  /// `folder` holds the results of the plan's sweep; tasks must see it under the same name. `use_cache`:
  /// whether tasks look for verdicts of deadlock checks in their users' caches.
  SlurmSweep(const SweepPlan& plan, const SweepIdentity& identity, SweepWriter& writer,
             std::filesystem::path folder, bool use_cache);

  /// Whether an earlier start has left something to merge.
  bool begun() const;
  /// The job of an earlier start that has not ended; "" if there is none.
  std::string running_job() const;
  /// Merges what the tasks have recorded.
  void merge();
  /// Waits for the running job, or submits a job for what is missing of these units and waits for it; then
  /// merges. True if nothing is missing any more. False if `stop` was set; the job then continues. Throws
  /// ConfigurationError if Slurm rejects the job, WriteError if tasks ended with points missing.
  bool run(std::vector<std::int64_t> units, SweepProgressSink*, const std::atomic<bool>& stop);
  /// Removes what only the tasks needed; call when nothing is missing.
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
  bool use_cache_;
  std::vector<std::int64_t> units_;  ///< to run, ascending
};

}  // namespace flitmend
