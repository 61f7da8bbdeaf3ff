// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <ostream>
#include <string>

#include "base/errors.h"
#include "exploration/sweeps/sweep.h"

namespace flitmend {

/// How a sweep is run.
struct SweepWork {
  std::filesystem::path folder;  ///< of its results; made where it is not there
  unsigned jobs = 0;             ///< points at a time; 0: as many as there are processors
  bool slurm = false;
  bool resume = false;
  bool quiet = false;  ///< no progress on the terminal
};

/// Calls `work`; where something cannot be written, the error says as well what that leaves behind.
template <class Work>
auto with_remedy(Work work) {
  try {
    return work();
  } catch (const WriteError& e) {
    const std::string text = e.what();
    if (text.find('\n') != text.npos) throw;  // it does already
    throw WriteError(text + "\nevery point that was recorded is safe; --resume runs what is missing");
  }
}

/// Throws ConfigurationError where the folder has results that --resume cannot go on with. Changes nothing.
void check_resumable(const std::filesystem::path& folder, const Sweep&, const std::string& name);

/// Runs what is missing of a sweep, here or on a cluster, until that is done or a signal comes; `err` is
/// where progress goes. `name`: how messages call the sweep. Empty where nothing is missing any more, else
/// why not. Throws ConfigurationError where the folder is not this sweep's, WriteError where it cannot be
/// written.
std::string work_on_sweep(const SweepWork&, const Sweep&, const std::string& name, std::ostream& err);

}  // namespace flitmend
