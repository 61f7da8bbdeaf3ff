// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/errors.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/sweep.h"
#include "program/commands/commands.h"
#include "testbench/run_end.h"

namespace flitmend {

/// How a sweep is run.
struct SweepWork {
  std::filesystem::path folder;  ///< for its results; created if necessary
  unsigned jobs = 0;             ///< points at a time; 0: one per processor
  bool slurm = false;
  bool resume = false;
  bool no_cache = false;  ///< prove freedom from deadlock again, whatever verdicts are kept
  bool quiet = false;     ///< no progress on the terminal
};

/// Calls `work`. If something cannot be written, adds to the error what state that leaves behind.
template <class Work>
auto with_remedy(Work work) {
  try {
    return work();
  } catch (const WriteError& e) {
    const std::string text = e.what();
    if (text.find('\n') != text.npos) throw;  // it says so already
    throw WriteError(text + "\nevery recorded point is safe; --resume runs what is missing");
  }
}

/// Throws ConfigurationError if the folder has results that --resume cannot continue. Changes nothing.
void check_resumable(const std::filesystem::path& folder, const Sweep&, const std::string& name);

/// Which units of a sweep to run next, ascending, from the results so far; none at the end. Called again when
/// these are recorded.
using NextUnits = std::function<std::vector<std::int64_t>(const SweepReader&)>;

/// Runs what is missing from a sweep, here or on a cluster, until that is done or a signal comes. The
/// command's streams receive notes and progress; `name` is what messages call the sweep. Returns empty if
/// nothing is missing any more, else the reason. Throws ConfigurationError if the folder belongs to another
/// sweep, WriteError if it cannot be written.
std::string work_on_sweep(const SweepWork&, const Sweep&, const std::string& name, const Command&);
/// The same for the units that `next` chooses.
std::string work_on_sweep(const SweepWork&, const Sweep&, const std::string& name, const Command&,
                          const NextUnits& next);

/// Prints how many points ended how, the first ones that did not end well, and where curves saturate.
void print_summary(const SweepReader&, std::ostream&);

/// Exit status of a sweep that has run all its points: contract_broken if a point broke the contract or
/// crashed, else deadlock, else unfinished (also for timed-out points), else done; bad_usage if all points
/// were refused.
ExitStatus exit_status_of(const SweepReader&);

}  // namespace flitmend
