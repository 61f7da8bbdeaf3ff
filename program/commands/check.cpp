// SPDX-License-Identifier: Apache-2.0
#include "program/commands/check.h"

#include <memory>

#include "program/commands/command.h"
#include "program/commands/configuration_options.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_proof.h"
#include "testbench/deadlock_check.h"
#include "testbench/fault_notes.h"
#include "testbench/simulation.h"
#include "testbench/transaction_check.h"
#include "testbench/validation.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

/// Checks the globs of waves against the names of the hardware, which has to be built for this.
void check_globs(const Configuration& c) {
  if (!c.waves.enabled || c.waves.scope.empty()) return;
  // Left to the end of the process, because the kernel takes long to destroy a large network.
  [[maybe_unused]] static Simulation* volatile left;
  Simulation* const simulation = new Simulation(c);
  left = simulation;
  FabricWaves(simulation->fabric()).check(c.waves);
}

/// Transactions with the settings of section tlm.
void check_platform(const Configuration& c, bool quiet, Command& command) {
  DeadlockCheck result;
  try {
    const InterruptGuard interrupt;
    TerminalProof progress(command.err, quiet, interrupt);
    result = check_transactions(c, &progress);
  } catch (const KeyError& e) {  // the network may still be for traffic alone
    command.out << "\ntransactions: " << e.what() << '\n';
    return;
  }
  command.out << '\n' << result.verdict << "\n\n" << result.details;
  if (command.status == ExitStatus::done) command.status = result.status;
}

void check_configuration(const Configuration& c, bool quiet, Command& command) {
  validate(c);
  try {
    check_globs(c);
    DeadlockCheck result;
    {
      const InterruptGuard interrupt;
      TerminalProof progress(command.err, quiet, interrupt);
      result = check_deadlock(c, &progress);
    }
    command.out << result.verdict << "\n\n" << result.details;
    if (const std::string faults = fault_notes(c); !faults.empty()) command.out << '\n' << faults;
    command.status = result.status;
    if (c.explicit_section("tlm")) check_platform(c, quiet, command);
  } catch (const KeyError& e) {
    throw c.located(e);
  }
}

}  // namespace

void add_check(CLI::App& program, Command& command) {
  CLI::App* check = program.add_subcommand(
      "check", "Prove the routing of a configuration free of deadlock, or show a deadlock.");
  const auto options = std::make_shared<ConfigurationOptions>();
  options->add_to(*check);
  const auto quiet = std::make_shared<bool>(false);
  check->add_flag("--quiet", *quiet, "Do not show progress on standard error.");
  check->callback([options, quiet, &command] { check_configuration(options->load(), *quiet, command); });
}

}  // namespace flitmend
