// SPDX-License-Identifier: Apache-2.0
#include "program/commands/analyze/probability.h"

#include "program/commands/checked_options.h"

namespace flitmend {

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
