// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "exploration/sweeps/plan.h"
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

}  // namespace flitmend
