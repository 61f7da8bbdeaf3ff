// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "program/commands/analyze/tools.h"

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

void add_json_option(CLI::App& tool, bool& json) {
  tool.add_flag("--json", json, "Print one JSON object instead of a table.");
}

void add_random_options(CLI::App& tool, RandomOptions& options) {
  add_seed(tool, options.seed);
  add_whole_number(tool, "--jobs", options.jobs, "Threads; 0: one per processor. Never changes a result.",
                   Range<unsigned>{0, 4096})
      ->capture_default_str();
}

void CubeOptions::add_to(CLI::App& tool) {
  add_whole_number(tool, "--k", k, "Nodes per dimension.")->required();
  add_whole_number(tool, "--n", n, "Dimensions; 3 is the published algorithm.")->capture_default_str();
}

std::vector<CLI::Option*> NamedFaultOptions::add_to(CLI::App& tool) {
  return {
      tool.add_option("--faulty", nodes, "Faulty nodes, like 011,100.")->delimiter(',')->type_name("NODES"),
      tool.add_option("--faulty-link", links, "Faulty links, like 222-202,000-001.")
          ->delimiter(',')
          ->type_name("LINKS"),
  };
}

void ArithmeticOption::add_to(CLI::App& tool) {
  add_word(tool, "--arithmetic", word, {"double", "log"},
           "Arithmetic of the vectors; log for elements too small for double.")
      ->capture_default_str();
}

}  // namespace flitmend
