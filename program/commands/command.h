// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>

#include "testbench/exit_status.h"

namespace flitmend {

/// What every command is given. A command registers itself on the parser with a callback that does the work:
///   void add_NAME(CLI::App& parent, Command& command)
/// The callback writes its answer to `out` and leaves its exit status in `status`; it throws
/// ConfigurationError for what the user can mend (exit status 2). Both live as long as the parser.
struct Command {
  std::ostream& out;  ///< standard output; the program checks it for write errors
  std::ostream& err;  ///< standard error: messages and progress
  ExitStatus status = ExitStatus::done;
};

}  // namespace flitmend
