#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>

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
  tool.add_option("--seed", options.seed, "Seed of the random numbers.")->capture_default_str();
  tool.add_option("--jobs", options.jobs, "Threads; 0: one a processor. Never changes a result.")
      ->check(CLI::Range(0u, 4096u))
      ->capture_default_str();
}

}  // namespace flitmend
