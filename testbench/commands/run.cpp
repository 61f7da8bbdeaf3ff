#include "testbench/commands/run.h"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/checked_file.h"
#include "testbench/commands/command.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/writer.h"
#include "testbench/interrupt.h"
#include "testbench/output_folder.h"
#include "testbench/progress.h"
#include "testbench/simulation.h"

namespace flitmend {
namespace {

struct RunOptions {
  std::filesystem::path config;
  std::vector<std::string> sets;
  std::filesystem::path out;
  bool quiet = false;
};

void run(const RunOptions& options, Command& command) {
  const Configuration configuration = load_configuration(options.config, options.sets);
  std::unique_ptr<Simulation> simulation;
  try {
    simulation = std::make_unique<Simulation>(configuration);
  } catch (const ConfigurationError& e) {
    throw configuration.located(e);
  }
  if (!options.out.empty()) {
    prepare_output_folder(options.out);
    write_checked(options.out / "config.yaml", to_yaml(configuration));
  }

  Outcome outcome;
  {
    InterruptGuard interrupt;
    std::unique_ptr<TerminalProgress> progress;
    if (!options.quiet && isatty(STDERR_FILENO)) progress = std::make_unique<TerminalProgress>(command.err);
    outcome = simulation->run(progress.get(), interrupt.stop());
  }
  command.out << to_text(outcome.results);
  if (!options.out.empty()) write_checked(options.out / "stats.json", to_json(outcome.results));
  if (outcome.status != ExitStatus::done) command.err << "flitmend: " << outcome.why << '\n';
  command.status = outcome.status;
}

}  // namespace

void add_run(CLI::App& program, Command& command) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* sub = program.add_subcommand("run", "Simulate one network as CONFIG.yaml describes it.");
  sub->add_option("CONFIG", options->config, "The configuration file; docs/reference.md lists its keys.")
      ->required();
  sub->add_option("--set", options->sets,
                  "A key that goes before the file's: router.virtual_channels=2. May be repeated.")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sub->add_option("--out", options->out, "Folder for stats.json and config.yaml; made if it is not there.")
      ->type_name("DIR");
  sub->add_flag("--quiet", options->quiet, "No progress on standard error.");
  sub->callback([options, &command] { run(*options, command); });
}

}  // namespace flitmend
