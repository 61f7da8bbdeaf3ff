// SPDX-License-Identifier: Apache-2.0
#include "exploration/sweeps/slurm/options.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/shown_value.h"

namespace flitmend {
namespace {

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

}  // namespace

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
