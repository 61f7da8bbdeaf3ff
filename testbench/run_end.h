// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "testbench/exit_status.h"
#include "testbench/statistics/results.h"

namespace flitmend {

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
