// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/probability_vectors/faults.h"

namespace flitmend {
struct Command;

/// `flitmend analyze probability-vectors`: the vectors of all nodes of a k-ary n-cube with named faults.
void add_probability_vectors(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-routing`: one route over named faults, or statistics over random ones.
void add_probability_routing(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-bounds`: [AlSadi03 Theorem 1, Theorem 2].
void add_probability_bounds(CLI::App& analyze, Command& command);

/// --k and --n of those tools.
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
