// SPDX-License-Identifier: Apache-2.0
#include "program/commands/check.h"

#include <memory>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/escaped_text.h"
#include "program/commands/command.h"
#include "program/commands/configuration_options.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_proof.h"
#include "testbench/deadlock_check.h"
#include "testbench/fault_notes.h"
#include "testbench/fault_sets_check.h"
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

/// Transactions with the settings of section tlm, as NetworkOnChip judges them. What it refuses can still be
/// run, because `flitmend run` does not use the section: this is a remark.
void check_platform(Configuration c, bool quiet, Command& command) {
  DeadlockCheck result;
  try {
    settle_platform(c);
    validate_platform(c);
    const InterruptGuard interrupt;
    TerminalProof progress(command.err, quiet, interrupt);
    result = check_transactions(c, &progress);
  } catch (const ConfigurationError& e) {
    const auto* const key = dynamic_cast<const KeyError*>(&e);
    command.out << "\ntransactions: NetworkOnChip refuses this configuration: "
                << escaped_text(key ? c.located(*key).what() : e.what())
                << " (flitmend run does not use section tlm)\n";
    return;
  }
  command.out << '\n' << result.verdict << "\n\n" << result.details;
  if (command.status == ExitStatus::done) command.status = result.status;
}

/// `graph_file`: where to write what was found as a graph; empty: nowhere.
void check_configuration(const Configuration& c, const std::string& graph_file, bool quiet,
                         Command& command) {
  validate(c);
  try {
    check_globs(c);
    DeadlockCheck result;
    {
      const InterruptGuard interrupt;
      TerminalProof progress(command.err, quiet, interrupt);
      std::string graph;
      result = check_deadlock(c, &progress, graph_file.empty() ? nullptr : &graph);
      if (!graph_file.empty()) write_checked(graph_file, graph);
    }
    command.out << result.verdict << "\n\n" << result.details;
    if (const std::string faults = fault_notes(c); !faults.empty()) command.out << '\n' << faults;
    command.status = result.status;
    if (c.explicit_section("tlm")) check_platform(c, quiet, command);
  } catch (const KeyError& e) {
    throw c.located(e);
  }
}

/// The routing with every set of faults of a kind.
void check_faults(const Configuration& c, const std::string& kind, bool quiet, Command& command) {
  validate(c);
  DeadlockCheck result;
  {
    const InterruptGuard interrupt;
    TerminalProof progress(command.err, quiet, interrupt);
    result = check_fault_sets(c, kind == "single" ? FaultSets::single : FaultSets::double_links, &progress);
  }
  command.out << result.verdict << "\n\n" << result.details;
  command.status = result.status;
}

}  // namespace

void add_check(CLI::App& program, Command& command) {
  CLI::App* check = program.add_subcommand(
      "check", "Prove the routing of a configuration free of deadlock, or show a deadlock.");
  const auto options = std::make_shared<ConfigurationOptions>();
  options->add_to(*check);
  const auto quiet = std::make_shared<bool>(false);
  check->add_flag("--quiet", *quiet, "Do not show progress on standard error.");
  const auto faults = std::make_shared<std::string>();
  check
      ->add_option(
          "--faults", *faults,
          "Instead: the routing with every set of permanent faults of a kind. single: every node and "
          "every link; double-links: every two links.")
      ->check(CLI::Validator(
          [](std::string& kind) {
            return kind == "single" || kind == "double-links"
                       ? std::string()
                       : "unknown kind of faults '" + kind + "'; write single or double-links";
          },
          "{single,double-links}"));
  const auto graph = std::make_shared<std::string>();
  check
      ->add_option("--graph", *graph,
                   "Also write the dependencies of channels to this file, with the cycle or the order of the "
                   "proof, in the language of Graphviz.")
      ->excludes("--faults");
  check->callback([options, quiet, faults, graph, &command] {
    if (faults->empty())
      check_configuration(options->load(), *graph, *quiet, command);
    else
      check_faults(options->load(), *faults, *quiet, command);
  });
}

}  // namespace flitmend
