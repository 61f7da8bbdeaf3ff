// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "testbench/run_end.h"

namespace flitmend {

/// What every command receives. A command registers itself with the parser, with a callback that does the
/// work:
///   void add_NAME(CLI::App& parent, Command& command)
/// The callback writes its answer to `out` and sets `status` to its exit status. It throws ConfigurationError
/// for errors that the user can correct (exit status 2). The streams live as long as the parser.
struct Command {
  std::ostream& out;       ///< standard output, as EscapedOutput; the program checks it for write errors
  std::ostream& err;       ///< standard error, as EscapedOutput: messages
  std::ostream& document;  ///< standard output as it is, for output that is not meant for a terminal
  std::ostream& terminal;  ///< standard error as it is, for progress (TerminalLine)
  ExitStatus status = ExitStatus::done;
};

}  // namespace flitmend
