#include "testbench/commands/reference.h"

#include <CLI/CLI.hpp>

#include "testbench/commands/command.h"
#include "testbench/reference.h"

namespace flitmend {

void add_reference(CLI::App& program, Command& command) {
  CLI::App* reference = program.add_subcommand("reference", "Print the generated reference page.");
  reference->group("");
  reference->callback([&command] { command.out << configuration_reference(); });
}

}  // namespace flitmend
