// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/tools.h"

#include <CLI/CLI.hpp>

namespace flitmend {

void add_analyze(CLI::App& program, Command& command) {
  CLI::App* analyze = program.add_subcommand(
      "analyze", "Answer a question without simulation: closed forms and graph engines.");
  analyze->require_subcommand(1);
  // One line per tool, in the order of `flitmend analyze --help`.
  add_fault_rings(*analyze, command);
  add_probability_vectors(*analyze, command);
  add_probability_routing(*analyze, command);
  add_probability_bounds(*analyze, command);
  add_kns_tolerance(*analyze, command);
  add_kns_tables(*analyze, command);
  add_kary_ncube_model(*analyze, command);
  add_paper(*analyze, command);
}

}  // namespace flitmend
