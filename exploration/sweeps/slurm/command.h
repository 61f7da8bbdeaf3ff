// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace flitmend {

struct CommandResult {
  int status = 0;  ///< exit status; 128 + signal
  std::string out;
  std::string err;
};

/// Runs another program, found by PATH, and waits for it; no shell is involved. Ctrl-C on the terminal does
/// not reach it. Throws ConfigurationError if it is not installed.
CommandResult run_command(const std::vector<std::string>& words);

}  // namespace flitmend
