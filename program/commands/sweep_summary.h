// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "exploration/sweeps/reader.h"
#include "testbench/run_end.h"

namespace flitmend {

/// Prints how many points ended how, the first ones that did not end well, and where curves saturate.
void print_summary(const SweepReader&, std::ostream&);

/// Exit status of a sweep that has run all its points: contract_broken if a point broke the contract or
/// crashed, else deadlock, else unfinished (also for timed-out points), else done; bad_usage if all points
/// were refused.
ExitStatus exit_status_of(const SweepReader&);

}  // namespace flitmend
