// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/array_job.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"
#include "exploration/sweeps/other_program.h"

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

// sbatch also takes the beginning of an option's name, which is not allowed here.
constexpr const char* kFlags =
    "contiguous exclusive hold no-requeue overcommit oversubscribe requeue spread-job use-min-nodes";
constexpr const char* kWithValue =
    "account acctg-freq batch begin clusters cluster-constraint comment constraint core-spec "
    "cores-per-socket cpu-freq cpus-per-gpu deadline delay-boot dependency distribution exclude exclusive "
    "gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags hint licenses "
    "mail-type mail-user mem mem-bind mem-per-cpu mem-per-gpu mincpus network nice nodelist nodes "
    "ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket partition power prefer priority "
    "profile qos reservation signal sockets-per-node switches thread-spec threads-per-core time time-min "
    "tmp tres-per-task wckey";

std::vector<std::string> words_of(const char* list) {
  std::istringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}

bool among(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

CommandResult run_slurm(const std::vector<std::string>& words) {
  return run_command(words, "--slurm needs the commands of Slurm, --jobs N runs on this machine");
}

}  // namespace

std::string array_text(const std::vector<std::size_t>& indices) {
  std::string text;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t last = i;
    while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
    text += formatted("%1%%2%", text.empty() ? "" : ",", indices[i]);
    if (last > i) text += formatted("-%1%", indices[last]);
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
                                    formatted("--cpus-per-task=%1%", job.cpus_per_task),
                                    "--output=" + literal(job.log_folder.string()) + "/task_%a.log",
                                    "--chdir=" + std::filesystem::current_path().string()};
  words.insert(words.end(), job.options.begin(), job.options.end());
  words.push_back(job.script.string());
  const CommandResult result = run_slurm(words);
  // "17" or "17;cluster"
  const std::string number = one_line(result.out.substr(0, result.out.find(';')));
  if (result.status != 0 || number.empty() || number.find_first_not_of("0123456789") != number.npos)
    throw ConfigurationError("sbatch rejected the job: " + one_line(result.err + result.out));
  return number;
}

std::optional<JobState> job_state(const std::string& job) {
  const CommandResult result = run_slurm({"squeue", "--array", "--noheader", "--format=%t", "--jobs=" + job});
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

std::string slurm_option_error(const std::string& word) {
  static const std::vector<std::string> flags = words_of(kFlags), with_value = words_of(kWithValue);
  if (!word.starts_with("--"))
    return shown_value(word) + " is not a long option of sbatch; write it like --mem=2G";
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(2, equals - 2);
  const bool has_value = equals != word.npos;
  // sbatch would read the nodes from a file of that name.
  if (has_value && (name == "nodelist" || name == "exclude") && word.find('/', equals) != word.npos)
    return shown_value(word) + " names a file; write the nodes themselves, like --" + name + "=node[1-4]";
  if (has_value ? among(with_value, name) && equals + 1 < word.size() : among(flags, name)) return "";
  if (among(with_value, name)) return shown_value(word) + " has no value; write --" + name + "=VALUE";
  if (among(flags, name)) return "--" + name + " takes no value";
  std::vector<std::string_view> known(with_value.begin(), with_value.end());
  known.insert(known.end(), flags.begin(), flags.end());
  return "'--" + name + "' is not among the options of sbatch that a sweep can set" +
         did_you_mean(name, known);
}

}  // namespace flitmend
