// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

#include "program/commands/checked_options.h"

namespace flitmend {

/// Options that analysis tools share. `--json` prints one JSON object instead of a table.
inline void add_json_option(CLI::App& tool, bool& json) {
  tool.add_flag("--json", json, "Print one JSON object instead of a table.");
}

/// For tools that draw at random. The number of threads never changes a result.
struct RandomOptions {
  std::uint64_t seed = 1;
  unsigned jobs = 0;
};
inline void add_random_options(CLI::App& tool, RandomOptions& options) {
  add_seed(tool, options.seed);
  add_whole_number(tool, "--jobs", options.jobs, "Threads; 0: one per processor. Never changes a result.",
                   Range<unsigned>{0, 4096})
      ->capture_default_str();
}

/// For tools whose survey shows progress.
inline void add_quiet_option(CLI::App& tool, bool& quiet) {
  tool.add_flag("--quiet", quiet, "Do not show progress on standard error.");
}

}  // namespace flitmend
