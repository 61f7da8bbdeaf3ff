// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "exploration/sweeps/reader.h"
#include "testbench/exit_status.h"

namespace flitmend {

/// How many points ended how, the first that did not end well, and where curves saturate.
void print_summary(const SweepReader&, std::ostream&);

/// What a sweep that has run all its points tells its caller: contract_broken where a point broke the
/// contract or crashed, else deadlock, else unfinished (or timed out); done where all were done, or some
/// refused; bad_usage where all were refused.
ExitStatus exit_status_of(const SweepReader&);

}  // namespace flitmend
