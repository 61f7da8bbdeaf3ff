// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/probability_vectors/faults.h"
#include "program/commands/checked_options.h"

namespace flitmend {

/// Options that analysis tools share. `--json` prints one JSON object instead of a table.
void add_json_option(CLI::App& tool, bool& json);

/// For tools that draw at random. The number of threads never changes a result.
struct RandomOptions {
  std::uint64_t seed = 1;
  unsigned jobs = 0;
};
void add_random_options(CLI::App& tool, RandomOptions& options);

/// --k and --n of the tools of probability vectors.
struct CubeOptions {
  std::uint32_t k = 0;
  std::uint32_t n = 3;
  void add_to(CLI::App& tool);
};

/// --faulty and --faulty-link: faults by name.
struct NamedFaultOptions {
  std::vector<std::string> nodes;
  std::vector<std::string> links;
  /// The two options.
  std::vector<CLI::Option*> add_to(CLI::App& tool);
  /// Throws ConfigurationError.
  KaryCubeFaults in(const KaryCube& cube) const { return named_faults(cube, nodes, links); }
};

/// --arithmetic
struct ArithmeticOption {
  std::string word = "double";
  void add_to(CLI::App& tool);
  PvArithmetic value() const { return word == "log" ? PvArithmetic::logarithm : PvArithmetic::plain; }
};

}  // namespace flitmend
