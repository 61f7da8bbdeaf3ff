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

/// Runs another program, found by PATH unless it is named with its folder, and waits for it; no shell is
/// involved. Ctrl-C on the terminal does not reach it. Throws NotNowError, with the remedy, if it cannot be
/// started.
CommandResult run_command(const std::vector<std::string>& words, const std::string& remedy = "install it");

}  // namespace flitmend
