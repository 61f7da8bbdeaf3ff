// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "testbench/exit_status.h"

namespace flitmend {

/// The program `flitmend`: parses the command line, runs the command, turns every error into a message on
/// `err` and an exit status. A failed write to `out` is an error too (unfinished).
ExitStatus run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace flitmend
