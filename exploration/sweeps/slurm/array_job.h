// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace flitmend {

/// "0-3,7": ascending numbers as Slurm wants them.
std::string array_text(const std::vector<std::size_t>& indices);

/// A job array to be submitted.
struct ArrayJob {
  std::filesystem::path script;
  std::filesystem::path log_folder;  ///< task_INDEX.log in it
  std::vector<std::size_t> indices;
  std::int64_t cpus_per_task = 1;
  std::vector<std::string> options;  ///< more words for sbatch
};

/// Its number. Throws ConfigurationError with what sbatch says.
std::string submit(const ArrayJob&);

struct JobState {
  std::size_t left = 0;     ///< tasks that have not ended
  std::size_t running = 0;  ///< of these
};
/// None where the controller does not answer now. A job that Slurm has forgotten has ended.
std::optional<JobState> job_state(const std::string& job);

}  // namespace flitmend
