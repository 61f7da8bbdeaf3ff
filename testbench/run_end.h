// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/language.h"

namespace sc_core {
class sc_report;
}

namespace flitmend {

enum class RunOutcome;

/// Exit status of the program. Scripts rely on the numbers. The manual page has the same texts; a test
/// compares.
enum class ExitStatus : int {
  done = 0,             ///< success
  bad_usage = 2,        ///< bad usage or configuration; nothing was run
  contract_broken = 3,  ///< a message duplicated or lost, a flit or credit not accounted for
  deadlock = 4,         ///< a deadlock was found, or can happen
  unfinished = 5,       ///< could not finish: a limit, a signal, a full disk; what was written says so
  unproved = 6,         ///< freedom from deadlock not proved, livelock, or a pair without a route
  not_borne_out = 7,    ///< a study ran to its end, and a statement of it fails or is undecided
  target_missed = 8,    ///< a flow missed its bandwidth or latency target, and the run is strict
};

constexpr int to_int(ExitStatus s) {
  return static_cast<int>(s);
}

/// Maps the outcome of a run to an exit status.
ExitStatus exit_status(RunOutcome);

/// What helps a run that is out of memory. Messages waiting at their sources are what grows.
inline constexpr const char* kMemoryRemedy =
    "Lower traffic.load or shorten simulation.measure, so that fewer messages wait at their sources; or "
    "choose "
    "a smaller network";

/// Whether the report is about a std::bad_alloc thrown in a process of the simulation: the kernel turns
/// exceptions into reports.
bool out_of_memory(const sc_core::sc_report&);

}  // namespace flitmend
