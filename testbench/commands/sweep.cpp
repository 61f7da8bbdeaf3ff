#include "testbench/commands/sweep.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <numeric>

#include "base/errors.h"
#include "testbench/commands/checked_options.h"
#include "testbench/commands/command.h"
#include "testbench/commands/sweep_summary.h"
#include "testbench/interrupt.h"
#include "testbench/output_folder.h"
#include "testbench/sweeps/folder_lock.h"
#include "testbench/sweeps/runner.h"
#include "testbench/sweeps/slurm/slurm_sweep.h"
#include "testbench/sweeps/slurm/task.h"

namespace flitmend {
namespace {

struct SweepOptions {
  std::filesystem::path file;
  std::filesystem::path out;
  unsigned jobs = 0;
  bool slurm = false;
  bool resume = false;
  bool quiet = false;
};

SweepWriter open_results(const SweepOptions& options, const Sweep& sweep, const SweepIdentity& identity) {
  std::vector<AxisRecord> axes;
  for (const SweepAxis& axis : sweep.axes) axes.push_back(axis.record());
  return options.resume ? SweepWriter::resume(options.out, identity, axes)
                        : SweepWriter::create(options.out, identity, axes);
}

/// Runs what is missing on this machine; true where nothing is missing any more.
bool run_here(const SweepOptions& options, const SweepPlan& plan, SweepWriter& writer, SlurmSweep& cluster,
              SweepProgressSink* progress, const std::atomic<bool>& stop) {
  if (cluster.begun()) {
    if (const std::string job = cluster.running_job(); !job.empty())
      throw ConfigurationError("Slurm's job " + job + " is at work on " + options.out.string() +
                               "; --slurm --resume waits for it, scancel " + job + " ends it");
    cluster.merge();
  }
  std::vector<std::int64_t> units(static_cast<std::size_t>(plan.units()));
  std::iota(units.begin(), units.end(), std::int64_t{0});
  return SweepRunner(plan, writer, options.out, options.jobs ? options.jobs : processors())
      .run(std::move(units), progress, stop);
}

std::string stopped_text(const SweepOptions& options, const SlurmSweep& cluster) {
  const std::string job = options.slurm ? cluster.running_job() : "";
  if (job.empty()) return "stopped by a signal; --resume runs what is missing";
  return "stopped waiting; Slurm's job " + job + " goes on: --slurm --resume waits for it again, scancel " +
         job + " ends it";
}

void run_sweep(const SweepOptions& options, Command& command) {
  const Sweep sweep = load_sweep(options.file);
  const SweepPlan plan(sweep);
  prepare_output_folder(options.out);
  const FolderLock lock(options.out);
  const SweepIdentity identity{FLITMEND_VERSION, sweep.base, sweep.base_name, sweep.text, sweep.name};
  SweepWriter writer = open_results(options, sweep, identity);
  SlurmSweep cluster(plan, identity, writer, options.out);
  bool complete = false;
  try {
    InterruptGuard interrupt;
    std::unique_ptr<TerminalSweepProgress> progress;
    if (!options.quiet && isatty(STDERR_FILENO))
      progress = std::make_unique<TerminalSweepProgress>(command.err);
    complete = options.slurm ? cluster.run(progress.get(), interrupt.stop())
                             : run_here(options, plan, writer, cluster, progress.get(), interrupt.stop());
  } catch (const WriteError& e) {
    throw WriteError(std::string(e.what()) +
                     "\nevery point that was recorded is safe; --resume runs what is missing");
  }
  if (complete) {
    writer.set_complete();
    cluster.clean_up();
  }
  const SweepReader reader(options.out);
  print_summary(reader, command.out);
  command.status = complete ? exit_status_of(reader) : ExitStatus::unfinished;
  if (!complete) command.err << "flitmend: " << stopped_text(options, cluster) << '\n';
}

struct TaskOptions {
  std::filesystem::path folder;
  std::size_t index = 0;
};

void run_task(const TaskOptions& options, Command& command) {
  InterruptGuard interrupt;
  if (!run_slurm_task(options.folder, options.index, FLITMEND_VERSION, interrupt.stop()))
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
      ->type_name("DIR")
      ->check([](const std::string& folder) {
        return folder.empty() ? std::string("the name of the folder is empty") : std::string();
      });
  add_whole_number(*sweep, "--jobs", options->jobs,
                   "Points at a time; as many as there are processors unless given.",
                   Range<unsigned>{1, 4096});
  sweep->add_flag(
      "--slurm", options->slurm,
      "Runs the points as a job array of Slurm and waits for it; DIR is a folder that all nodes see.");
  sweep->add_flag("--resume", options->resume, "Goes on with the results in DIR: runs only what is missing.");
  sweep->add_flag("--quiet", options->quiet, "No progress on standard error.");
  sweep->callback([options, &command] { run_sweep(*options, command); });
}

void add_sweep_task(CLI::App& program, Command& command) {
  const auto options = std::make_shared<TaskOptions>();
  CLI::App* task = program.add_subcommand("sweep-task", "One task of a sweep's job array; Slurm starts it.");
  task->group("");
  task->add_option("DIR", options->folder, "The sweep's folder.")->required();
  task->add_option("INDEX", options->index, "Of the task.")->required();
  task->callback([options, &command] { run_task(*options, command); });
}

}  // namespace flitmend
