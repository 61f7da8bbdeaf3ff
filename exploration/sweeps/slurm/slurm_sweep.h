// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/runner.h"
#include "exploration/sweeps/writer.h"

namespace flitmend {

/// What the tasks of a job array read: the sweep, and which of its units each task runs.
struct SlurmManifest {
  SweepIdentity identity;
  std::vector<std::vector<std::int64_t>> tasks;  ///< units of each task
  std::filesystem::path sweep_folder{};          ///< Sweep::folder
  bool use_cache = true;                         ///< of verdicts of the deadlock check

  /// The units in chunks, as the sweep file specifies.
  static SlurmManifest make(const SweepIdentity&, const SweepSlurm&, const std::vector<std::int64_t>& units);
};

/// FOLDER/slurm of a sweep's folder.
std::filesystem::path slurm_folder(const std::filesystem::path& folder);
/// FOLDER/slurm/task_INDEX, the folder of a task's own results.
std::filesystem::path task_folder(const std::filesystem::path& folder, std::size_t index);

bool has_manifest(const std::filesystem::path& folder);
void write_manifest(const std::filesystem::path& folder, const SlurmManifest&);
/// Throws ConfigurationError if there is none, or if it is damaged.
SlurmManifest read_manifest(const std::filesystem::path& folder);

/// Runs one task of the job array: the units that the manifest assigns to it, except those in its own
/// results. True if nothing of them is missing. Throws ConfigurationError, WriteError.
bool run_slurm_task(const std::filesystem::path& folder, std::size_t index, const std::string& version,
                    const std::atomic<bool>& stop);

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
