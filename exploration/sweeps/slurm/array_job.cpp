// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/array_job.h"

#include <sstream>

#include "base/errors.h"
#include "exploration/sweeps/slurm/command.h"

namespace flitmend {
namespace {

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// A folder's name escaped for a file name pattern, where % has a meaning.
std::string literal(const std::string& path) {
  std::string text;
  for (char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

}  // namespace

std::string array_text(const std::vector<std::size_t>& indices) {
  std::string text;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(indices[i]);
    if (last > i) text += "-" + std::to_string(indices[last]);
    i = last + 1;
  }
  return text;
}

std::string submit(const ArrayJob& job) {
  std::vector<std::string> words = {"sbatch",
                                    "--parsable",
                                    "--job-name=flitmend",
                                    "--open-mode=append",
                                    "--array=" + array_text(job.indices),
                                    "--cpus-per-task=" + std::to_string(job.cpus_per_task),
                                    "--output=" + literal(job.log_folder.string()) + "/task_%a.log",
                                    "--chdir=" + std::filesystem::current_path().string()};
  words.insert(words.end(), job.options.begin(), job.options.end());
  words.push_back(job.script.string());
  const CommandResult result = run_command(words);
  // "17" or "17;cluster"
  const std::string number = one_line(result.out.substr(0, result.out.find(';')));
  if (result.status != 0 || number.empty() || number.find_first_not_of("0123456789") != number.npos)
    throw ConfigurationError("sbatch rejected the job: " + one_line(result.err + result.out));
  return number;
}

std::optional<JobState> job_state(const std::string& job) {
  const CommandResult result =
      run_command({"squeue", "--array", "--noheader", "--format=%t", "--jobs=" + job});
  if (result.status != 0)
    return result.err.find("Invalid job id") != std::string::npos ? std::optional(JobState()) : std::nullopt;
  JobState state;
  std::istringstream lines(result.out);
  for (std::string word; lines >> word;) {
    ++state.left;
    if (word == "R" || word == "CG") ++state.running;
  }
  return state;
}

}  // namespace flitmend
