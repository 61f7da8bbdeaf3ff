// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "testbench/run_end.h"

namespace flitmend {

/// The program `flitmend`: parses the command line, runs the command, and turns every error into a message on
/// `err` and an exit status. A failed write to `out` is also an error (unfinished).
ExitStatus run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

/// Makes the SystemC kernel and the models report as the program does: information is dropped, a warning goes
/// to standard error, an error or fatal error is thrown as sc_core::sc_report. Nothing goes to standard
/// output.
void install_report_handler();

}  // namespace flitmend
