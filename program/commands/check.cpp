// SPDX-License-Identifier: Apache-2.0
#include "program/commands/check.h"

#include <memory>

#include "program/commands/command.h"
#include "program/commands/configuration_options.h"
#include "testbench/deadlock_check.h"

namespace flitmend {

void add_check(CLI::App& program, Command& command) {
  CLI::App* check = program.add_subcommand(
      "check", "Prove the routing of a configuration free of deadlock, or show a deadlock.");
  const auto options = std::make_shared<ConfigurationOptions>();
  options->add_to(*check);
  check->callback([options, &command] {
    const DeadlockCheck result = check_deadlock(options->load());
    command.out << result.verdict << "\n\n" << result.details;
    command.status = result.status;
  });
}

}  // namespace flitmend
