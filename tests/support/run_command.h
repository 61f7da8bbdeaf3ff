// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sstream>
#include <string>
#include <vector>

#include "program/program.h"

namespace flitmend {

struct ProgramResult {
  ExitStatus status;
  std::string out;
  std::string err;
};

/// Runs the program within this process, with arguments as a user would type them (without the program's
/// name).
inline ProgramResult run_flitmend(const std::vector<std::string>& words) {
  std::vector<const char*> argv = {"flitmend"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream out, err;
  const ExitStatus status = run_program(static_cast<int>(argv.size()), argv.data(), out, err);
  return {status, out.str(), err.str()};
}

}  // namespace flitmend
