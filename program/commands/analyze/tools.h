// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/probability_vectors/faults.h"
#include "program/commands/checked_options.h"
#include "program/commands/commands.h"

namespace flitmend {

/// `flitmend analyze fault-rings`: the probability that a minimal path of an n-dimensional mesh meets a fault
/// region or its ring, exactly and by random paths.
void add_fault_rings(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-vectors`: the vectors of all nodes of a k-ary n-cube with named faults.
void add_probability_vectors(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-routing`: one route over named faults, or statistics over random ones.
void add_probability_routing(CLI::App& analyze, Command& command);
/// `flitmend analyze probability-bounds`: [AlSadi03 Theorem 1, Theorem 2].
void add_probability_bounds(CLI::App& analyze, Command& command);
/// `flitmend analyze kns-tolerance`: which combinations of faulty links a KNS network tolerates.
void add_kns_tolerance(CLI::App& analyze, Command& command);
/// `flitmend analyze kns-tables`: sizes of routing tables for intermediate nodes.
void add_kns_tables(CLI::App& analyze, Command& command);
/// `flitmend analyze kary-ncube-model`: the queueing model of Software-Based routing.
void add_kary_ncube_model(CLI::App& analyze, Command& command);
/// `flitmend analyze paper NAME|--list`: a published table next to ours, with the difference and a verdict
/// per row.
void add_paper(CLI::App& analyze, Command& command);

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
