// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/options.h"

namespace flitmend {

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
