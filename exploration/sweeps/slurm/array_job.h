// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace flitmend {

/// "0-3,7": ascending numbers in Slurm's notation.
std::string array_text(const std::vector<std::size_t>& indices);

/// A job array to submit.
struct ArrayJob {
  std::filesystem::path script;
  std::filesystem::path log_folder;  ///< for task_INDEX.log
  std::vector<std::size_t> indices;
  std::int64_t cpus_per_task = 1;
  std::vector<std::string> options;  ///< more arguments for sbatch
};

/// Submits the job and returns its number. Throws ConfigurationError with the message of sbatch.
std::string submit(const ArrayJob&);

struct JobState {
  std::size_t left = 0;     ///< tasks that have not ended
  std::size_t running = 0;  ///< tasks that are running
};
/// None if the controller does not answer now. A job that Slurm no longer knows has ended.
std::optional<JobState> job_state(const std::string& job);

/// What is wrong with an argument for sbatch that a sweep file gives; empty if nothing is. Allowed are the
/// long options that ask for resources, each with its value in the same word: "--mem=2G". So a file cannot
/// name another script, nor an option that runs or writes something.
std::string slurm_option_error(const std::string& word);

}  // namespace flitmend
