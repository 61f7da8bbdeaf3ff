// SPDX-License-Identifier: Apache-2.0
#include "program/commands/run.h"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/checked_file.h"
#include "program/commands/command.h"
#include "program/commands/configuration_options.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_progress.h"
#include "testbench/configuration/writer.h"
#include "testbench/deadlock_check.h"
#include "testbench/output_folder.h"
#include "testbench/simulation.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

struct RunOptions {
  ConfigurationOptions configuration;
  std::filesystem::path out;
  std::vector<std::string> waves;  ///< a word each time that --waves is given: its globs, or kNoGlobs
  bool quiet = false;
  bool allow_deadlock = false;
};

/// Refuses what check does not answer with "free of deadlock".
void refuse_deadlock(const Configuration& configuration) {
  const DeadlockCheck check = check_deadlock(configuration);
  if (check.status == ExitStatus::done) return;
  throw ConfigurationError(
      check.verdict + "; nothing was run. flitmend check says more; --allow-deadlock runs it all the same");
}

constexpr const char* kNoGlobs = "true";  // what the parser calls a flag without a value

/// Puts --waves over the configuration.
void apply_waves(const RunOptions& options, Configuration& c) {
  for (const std::string& globs : options.waves) {
    c.set_place("waves.enabled", "--waves");
    if (globs == kNoGlobs) {
      apply_waves_option(c.waves, std::nullopt);
      continue;
    }
    apply_waves_option(c.waves, globs);
    c.set_place("waves.scope", "--waves");
  }
}

void check_waves(const RunOptions& options, const WaveSettings& waves) {
  if (!waves.enabled) return;
  if (options.out.empty())
    throw ConfigurationError("waves.enabled: a waveform needs a folder to be written to; give --out DIR");
  waves.check();
}

/// Starts the recording in the output folder. Throws WriteError where there is no room for it.
void start_waves(FabricWaves& waves, const Configuration& c, const RunOptions& options,
                 const Simulation& simulation, Command& command) {
  waves.start(c.waves, options.out.string(), simulation.clock_period());
  if (const std::string& failure = waves.recorder().failure(); !failure.empty()) throw WriteError(failure);
  // The first word erases a line of progress.
  const char* const fresh_line = isatty(STDERR_FILENO) ? "\r\x1b[K" : "";
  waves.recorder().on_failure([&command, fresh_line](const std::string& failure) {
    command.err << fresh_line << "flitmend: " << failure << std::endl;
  });
}

/// Completes the recording; a run whose recording ended early is unfinished.
void finish_waves(FabricWaves& waves, const Configuration& c, const Simulation& simulation,
                  Command& command) {
  waves.finish();
  if (!waves.recorder().failure().empty()) {
    if (command.status == ExitStatus::done) command.status = ExitStatus::unfinished;
  } else if (!waves.recorder().begun()) {
    command.err << "flitmend: waves: nothing was recorded: waves.from is cycle " << c.waves.from
                << ", and the run has " << simulation.cycles() << " cycles\n";
  }
}

/// Leaves a simulation, one a process, to the end of the process: for each module destroyed the kernel
/// searches its list of all of them, which takes longer than many a run where the network is large.
struct LeaveToTheProcess {
  void operator()(Simulation* simulation) const {
    [[maybe_unused]] static Simulation* volatile left;  // volatile: kept, and so no leak
    left = simulation;
  }
};

void run(const RunOptions& options, Command& command) {
  Configuration configuration = options.configuration.load();
  apply_waves(options, configuration);
  std::unique_ptr<Simulation, LeaveToTheProcess> simulation;
  std::unique_ptr<FabricWaves> waves;
  try {
    check_waves(options, configuration.waves);
    if (!options.allow_deadlock) refuse_deadlock(configuration);
    simulation.reset(new Simulation(configuration));
    if (configuration.waves.enabled) {
      waves = std::make_unique<FabricWaves>(simulation->fabric());
      waves->check(configuration.waves);
    }
  } catch (const ConfigurationError& e) {
    throw configuration.located(e);
  }
  if (!options.out.empty()) {
    prepare_output_folder(options.out);
    write_checked(options.out / "config.yaml", to_yaml(configuration));
  }
  if (waves) start_waves(*waves, configuration, options, *simulation, command);

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
  if (waves) finish_waves(*waves, configuration, *simulation, command);
}

}  // namespace

void add_run(CLI::App& program, Command& command) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* sub = program.add_subcommand("run", "Simulate one network as CONFIG.yaml describes it.");
  options->configuration.add_to(*sub);
  sub->add_option("--out", options->out,
                  "Folder for stats.json, config.yaml and waveforms; made if it is not there.")
      ->type_name("DIR")
      ->check([](const std::string& folder) {
        return folder.empty() ? std::string("the name of the folder is empty; name one, or leave --out away")
                              : std::string();
      });
  sub->add_flag(
      "--waves", options->waves,
      "Record waveforms into DIR, for GTKWave: of everything, or as --waves=GLOB of the signals and "
      "scopes that a glob (or several, parted by commas) names.");
  sub->add_flag("--allow-deadlock", options->allow_deadlock,
                "Runs what is not proved free of deadlock; without it, such a configuration is refused.");
  sub->add_flag("--quiet", options->quiet, "No progress on standard error.");
  sub->callback([options, &command] { run(*options, command); });
}

}  // namespace flitmend
