#include "testbench/commands/sweep.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/errors.h"
#include "testbench/commands/command.h"
#include "testbench/commands/sweep_summary.h"
#include "testbench/interrupt.h"
#include "testbench/output_folder.h"
#include "testbench/sweeps/folder_lock.h"
#include "testbench/sweeps/runner.h"

namespace flitmend {
namespace {

struct SweepOptions {
  std::filesystem::path file;
  std::filesystem::path out;
  unsigned jobs = 0;
  bool resume = false;
  bool quiet = false;
};

SweepWriter open_results(const SweepOptions& options, const Sweep& sweep) {
  const SweepIdentity identity{FLITMEND_VERSION, sweep.base, sweep.base_name, sweep.text, sweep.name};
  std::vector<AxisRecord> axes;
  for (const SweepAxis& axis : sweep.axes) axes.push_back(axis.record());
  return options.resume ? SweepWriter::resume(options.out, identity, axes)
                        : SweepWriter::create(options.out, identity, axes);
}

/// Runs what is missing; true where nothing is missing any more.
bool run_missing(const SweepOptions& options, const SweepPlan& plan, SweepWriter& writer, Command& command) {
  std::vector<std::int64_t> units(static_cast<std::size_t>(plan.units()));
  std::iota(units.begin(), units.end(), std::int64_t{0});
  const unsigned jobs = options.jobs ? options.jobs : processors();
  InterruptGuard interrupt;
  std::unique_ptr<TerminalSweepProgress> progress;
  if (!options.quiet && isatty(STDERR_FILENO))
    progress = std::make_unique<TerminalSweepProgress>(command.err);
  try {
    return SweepRunner(plan, writer, options.out, jobs)
        .run(std::move(units), progress.get(), interrupt.stop());
  } catch (const WriteError& e) {
    throw WriteError(std::string(e.what()) +
                     "\nevery point that was recorded is safe; --resume runs what is missing");
  }
}

void run_sweep(const SweepOptions& options, Command& command) {
  const Sweep sweep = load_sweep(options.file);
  const SweepPlan plan(sweep);
  prepare_output_folder(options.out);
  const FolderLock lock(options.out);
  SweepWriter writer = open_results(options, sweep);
  const bool complete = run_missing(options, plan, writer, command);
  if (complete) writer.set_complete();
  const SweepReader reader(options.out);
  print_summary(reader, command.out);
  if (complete) {
    command.status = exit_status_of(reader);
    return;
  }
  command.err << "flitmend: stopped by a signal; --resume runs what is missing\n";
  command.status = ExitStatus::unfinished;
}

}  // namespace

void add_sweep(CLI::App& program, Command& command) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* sweep = program.add_subcommand("sweep", "Run many simulations, as SWEEP.yaml describes them.");
  sweep->add_option("SWEEP", options->file, "The sweep's file; docs/sweeps.md says what it holds.")
      ->required();
  sweep->add_option("--out", options->out, "Folder for results.sqlite; made if it is not there.")
      ->required()
      ->type_name("DIR");
  sweep
      ->add_option("--jobs", options->jobs, "Points at a time; as many as there are processors unless given.")
      ->type_name("N")
      ->check(CLI::Range(1u, 4096u));
  sweep->add_flag("--resume", options->resume, "Goes on with the results in DIR: runs only what is missing.");
  sweep->add_flag("--quiet", options->quiet, "No progress on standard error.");
  sweep->callback([options, &command] { run_sweep(*options, command); });
}

}  // namespace flitmend
