// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "base/checked_file.h"
#include "base/processors.h"
#include "base/text.h"
#include "program/commands/checked_options.h"
#include "program/commands/configuration_options.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"
#include "testbench/checks/fault_changes_check.h"
#include "testbench/checks/fault_notes.h"
#include "testbench/checks/validation.h"
#include "testbench/checks/verdict_cache.h"
#include "testbench/configuration/unused_keys.h"
#include "testbench/configuration/writer.h"
#include "testbench/files/input_files.h"
#include "testbench/files/run_folder.h"
#include "testbench/recording/event_log.h"
#include "testbench/recording/message_log.h"
#include "testbench/recording/wave_stories.h"
#include "testbench/simulation.h"
#include "testbench/statistics/flow_statistic.h"
#include "traces/waves/fabric_waves.h"

namespace flitmend {
namespace {

struct RunOptions {
  ConfigurationOptions configuration;
  std::filesystem::path out;
  std::vector<std::string> waves;  ///< one entry per --waves: its globs, or kNoGlobs
  bool quiet = false;
  bool allow_deadlock = false;
  bool strict = false;
  bool no_cache = false;
  std::optional<Threads> threads;
};

/// The progress of a proof that has `seconds`; 0: no limit.
class LimitedProof final : public TerminalProof {
 public:
  LimitedProof(std::ostream& err, bool quiet, const InterruptGuard& interrupt, double seconds)
      : TerminalProof(err, quiet, interrupt), seconds_(seconds) {}
  bool stop() const override { return TerminalProof::stop() || out_of_time(); }
  bool out_of_time() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
    return seconds_ > 0 && passed.count() > seconds_;
  }

 private:
  const double seconds_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// The proof that a configuration is free of deadlock. Refuses it if there is none.
DeadlockCheck proved(const Configuration& configuration, const RunOptions& options,
                     const InterruptGuard& interrupt, Command& command) {
  const double limit = configuration.simulation.time_limit_seconds;
  LimitedProof progress(command.terminal, options.quiet, interrupt, limit);
  DeadlockCheck check;
  try {
    check = deadlock_verdict(configuration, &progress,
                             options.no_cache ? VerdictCache() : VerdictCache::of_user());
  } catch (const Interrupted&) {
    if (interrupt.stop() || !progress.out_of_time()) throw;
    throw Interrupted(
        formatted("simulation.time_limit_seconds = %1% reached in the proof that the "
                  "network is free of deadlock; nothing was run. Give it more time, or "
                  "run without the proof: --allow-deadlock",
                  limit));
  }
  if (check.status == ExitStatus::done) return check;
  throw KeyError(
      "routing.algorithm",
      check.verdict + "; nothing was run. flitmend check says more; --allow-deadlock runs it anyway");
}

/// What a run has to say of routes that change under messages in flight; empty: nothing. Refuses a run that
/// can deadlock and that nothing would end.
std::string changes_note(const Configuration& c, const RunOptions& options, const InterruptGuard& interrupt,
                         Command& command) {
  if (options.allow_deadlock) return changing_routes_note(c);
  TerminalProof progress(command.terminal, options.quiet, interrupt);
  return fault_changes_note(c, &progress);
}

constexpr const char* kNoGlobs = "true";  // the parser's value of a flag without a value

/// Applies --waves to the configuration.
void apply_waves(const RunOptions& options, Configuration& c) {
  if (options.waves.empty()) return;
  std::vector<std::optional<std::string>> given;
  for (const std::string& globs : options.waves)
    given.push_back(globs == kNoGlobs ? std::nullopt : std::optional(globs));
  apply_waves_options(c.waves, given);
  c.set_place("waves.enabled", {"--waves"});
  if (!c.waves.scope.empty() && given.front()) c.set_place("waves.scope", {"--waves"});
}

void apply_threads(const RunOptions& options, Configuration& c) {
  if (!options.threads) return;
  c.simulation.threads = *options.threads;
  c.set_place("simulation.threads", {"--threads"});
}

/// Threads take turns on the processors if there are more of them.
std::string threads_note(const Configuration& c, const Fabric& fabric) {
  const std::int64_t threads = c.simulation.threads.number.value_or(1);
  if (threads <= processors() || !fabric.has_threads()) return "";
  return formatted(
      "simulation.threads = %1%: this process has only %2%, so the run takes much longer than with "
      "as many threads",
      threads, counted(processors(), "processor"));
}

void check_waves(const RunOptions& options, const WaveSettings& waves) {
  if (waves.enabled && options.out.empty())
    throw KeyError("waves.enabled", "a waveform needs an output folder; give --out DIR");
}

void check_logs(const RunOptions& options, const StatisticsSettings& statistics) {
  if (statistics.events && options.out.empty())
    throw KeyError("statistics.events", "events.csv needs an output folder; give --out DIR");
  if (statistics.messages && options.out.empty())
    throw KeyError("statistics.messages", "messages.csv needs an output folder; give --out DIR");
}

/// A run one of whose logs ended early is unfinished.
void finish_log(const std::string& failure, Command& command) {
  if (failure.empty()) return;
  command.err << "flitmend: " << failure << '\n';
  if (command.status == ExitStatus::done) command.status = ExitStatus::unfinished;
}

/// Says which flows missed their targets.
void judge_targets(const Results& results, bool strict, Command& command) {
  const std::string missed = results.flows ? missed_targets_text(*results.flows) : "";
  if (missed.empty()) return;
  std::istringstream lines(missed);
  for (std::string line; std::getline(lines, line);) command.err << "flitmend: " << line << '\n';
  if (strict && command.status == ExitStatus::done) command.status = ExitStatus::target_missed;
}

/// Starts the recording in the output folder. Throws WriteError if there is no space for it.
void start_waves(FabricWaves& waves, const Configuration& c, const RunOptions& options,
                 const Simulation& simulation, Command& command) {
  waves.start(c.waves, options.out.string(), simulation.clock_period());
  if (const std::string& failure = waves.recorder().failure(); !failure.empty()) throw WriteError(failure);
  waves.recorder().on_failure([&command](const std::string& failure) {
    command.terminal << fresh_line();
    command.err << "flitmend: " << failure << std::endl;
  });
}

constexpr Cycle kCyclesBeforeDeadlock = 100;  // in the window that shows it

/// Whether the recording shows how the deadlock came about.
bool recorded(const DeadlockTime& deadlock, const WaveSettings& waves) {
  return waves.enabled && static_cast<Cycle>(waves.from) <= deadlock.since &&
         (waves.to == 0 || static_cast<Cycle>(waves.to) >= deadlock.since);
}

/// The command that repeats a run up to its deadlock, and records that.
std::string command_that_records(const DeadlockTime& deadlock, const RunOptions& options) {
  std::string command = "flitmend run " + shell_word(options.configuration.file);
  for (const std::string& set : options.configuration.sets) command += " --set " + shell_word(set);
  if (options.allow_deadlock) command += " --allow-deadlock";
  const std::string out =
      options.out.empty() ? "deadlock" : (options.out / "").parent_path().string() + "-deadlock";
  const Cycle from = deadlock.since - std::min(deadlock.since, kCyclesBeforeDeadlock);
  return formatted("%1% --out %2% --waves --set waves.from=%3% --set waves.to=%4%", command, shell_word(out),
                   from, deadlock.found);
}

/// Completes the recording. A run whose recording ended early is unfinished.
void finish_waves(FabricWaves& waves, const Configuration& c, const Simulation& simulation,
                  Command& command) {
  waves.finish();
  if (!waves.recorder().failure().empty()) {
    if (command.status == ExitStatus::done) command.status = ExitStatus::unfinished;
  } else if (!waves.recorder().begun()) {
    command.err << "flitmend: waves: nothing was recorded: waves.from is cycle " << c.waves.from
                << ", but the run has only " << simulation.cycles() << " cycles\n";
  }
}

/// Leaves a simulation (one per process) to the end of the process. The kernel searches its list of all
/// modules for each module destroyed, which in a large network takes longer than many a run.
struct LeaveToTheProcess {
  void operator()(Simulation* simulation) const {
    [[maybe_unused]] static Simulation* volatile left;  // volatile: stays reachable, so it is not a leak
    left = simulation;
  }
};

/// The network and its workload. Left to the end of the process.
std::unique_ptr<Simulation, LeaveToTheProcess> build(const Configuration& c, const RunOptions& options,
                                                     Command& command) {
  const BusyLine busy(command.terminal, shows_progress(options.quiet), "building the network");
  return std::unique_ptr<Simulation, LeaveToTheProcess>(new Simulation(c));
}

void run(const RunOptions& options, Command& command) {
  Configuration configuration =
      options.configuration.read(command.terminal, options.quiet, [&](Configuration& c) {
        apply_waves(options, c);
        apply_threads(options, c);
      });
  // One guard to the end, so that no signal is lost between two steps.
  const InterruptGuard interrupt;
  std::optional<RunFolder> folder;
  std::optional<DeadlockCheck> check;
  std::string changes;
  std::unique_ptr<Simulation, LeaveToTheProcess> simulation;
  std::unique_ptr<FabricWaves> waves;
  try {
    check_waves(options, configuration.waves);
    check_logs(options, configuration.statistics);
    if (!options.out.empty())
      folder.emplace(options.out, options.configuration.file, input_files(configuration));
    const std::vector<InputFileResults> checked = digests_of(network_files(configuration));
    if (!options.allow_deadlock) check = proved(configuration, options, interrupt, command);
    changes = changes_note(configuration, options, interrupt, command);
    simulation = build(configuration, options, command);
    refuse_changes(checked, "the deadlock check");
    if (configuration.waves.enabled) {
      waves = std::make_unique<FabricWaves>(simulation->fabric());
      waves->check(configuration.waves);
    }
  } catch (const KeyError& e) {
    throw configuration.located(e);
  }
  for (const std::string& note : {changes, disconnection_note(configuration), disabled_note(configuration),
                                  unrouted_note(configuration), aim_note(configuration)})
    if (!note.empty()) command.err << "flitmend: faults: " << note << '\n';
  for (const std::string& note : unused_keys_notes(unused_keys(configuration, KeyReader::run)))
    command.err << "flitmend: " << note << '\n';
  if (const std::string note = threads_note(configuration, simulation->fabric()); !note.empty())
    command.err << "flitmend: " << note << '\n';
  for (const std::string& note : simulation->workload().notes()) command.err << "flitmend: " << note << '\n';
  if (options.strict && std::ranges::none_of(simulation->workload().flows(), &FlowDescription::has_target))
    command.err << "flitmend: --strict has no effect, because no flow has a target\n";
  if (interrupt.stop()) throw Interrupted("stopped by a signal before the first cycle; there is no result");
  if (folder) {
    folder->remove_results();
    write_checked(folder->file("config.yaml"), to_yaml(configuration));
    if (check) write_checked(folder->file(kCheckFile), check->text());
  }
  if (waves) start_waves(*waves, configuration, options, *simulation, command);

  std::unique_ptr<EventLog> events;
  if (configuration.statistics.events) {
    events = std::make_unique<EventLog>(folder->file("events.csv"), simulation->topology());
    simulation->network().record_events(*events);
  }

  std::unique_ptr<MessageLog> messages;
  if (configuration.statistics.messages) {
    const Workload& workload = simulation->workload();
    messages = std::make_unique<MessageLog>(folder->file("messages.csv"), workload.flows(),
                                            [&workload](NodeId node) { return workload.flow_sent(node); });
    simulation->network().scoreboard().add_observer(*messages);
  }

  const std::unique_ptr<RecordedFault> fault = waves ? simulation->network().record_fault() : nullptr;

  Outcome outcome;
  {
    std::unique_ptr<TerminalProgress> progress;
    if (shows_progress(options.quiet)) progress = std::make_unique<TerminalProgress>(command.terminal);
    outcome = simulation->run(progress.get(), interrupt.stop());
  }
  command.out << to_text(outcome.results);
  if (folder) write_checked(folder->file("stats.json"), to_json(outcome.results));
  if (outcome.status != ExitStatus::done) command.err << "flitmend: " << outcome.why << '\n';
  if (outcome.deadlock && !recorded(*outcome.deadlock, configuration.waves))
    command.err << "To record waveforms of what led to it:\n  "
                << command_that_records(*outcome.deadlock, options) << '\n';
  command.status = outcome.status;
  if (events) finish_log(events->failure(), command);
  if (messages) {
    const MessageResults& m = outcome.results.messages;
    messages->finish(m.in_flight == m.held_back);
    finish_log(messages->failure(), command);
  }
  for (const std::string& note : simulation->workload().end_notes())
    command.err << "flitmend: " << note << '\n';
  judge_targets(outcome.results, options.strict, command);
  if (waves) {
    finish_waves(*waves, configuration, *simulation, command);
    WaveStory shown;
    if (outcome.deadlock)
      shown = deadlock_wave_story(outcome.results.deadlock.cycle, outcome.deadlock->since,
                                  simulation->topology());
    else if (fault)
      shown = fault->story();
    waves->mark(shown);
  }
}

}  // namespace

void add_run(CLI::App& program, Command& command) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* sub = program.add_subcommand("run", "Simulate the network that CONFIG.yaml describes.");
  options->configuration.add_to(*sub);
  sub->add_option("--out", options->out,
                  "Folder for stats.json, config.yaml and waveforms; created if necessary.")
      ->type_name("DIR")
      ->check(output_name());
  sub->add_flag("--waves", options->waves,
                "Record waveforms for GTKWave in DIR: everything, or with --waves=GLOB only the signals and "
                "scopes that a glob (or several, separated by commas) matches. May be repeated.");
  sub->add_flag("--allow-deadlock", options->allow_deadlock,
                "Run a configuration even if it is not proved free of deadlock.");
  sub->add_flag("--strict", options->strict, "End with status 8 if a flow misses its target.");
  add_threads(*sub, options->threads);
  add_no_cache(*sub, options->no_cache);
  add_quiet(*sub, options->quiet);
  sub->callback([options, &command] { run(*options, command); });
}

}  // namespace flitmend
