// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "exploration/sweeps/slurm/slurm_sweep.h"
#include "program/commands/checked_options.h"
#include "program/commands/file_kind.h"
#include "program/commands/sweep_work.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"

namespace flitmend {
namespace {

struct SweepOptions {
  std::filesystem::path file;
  SweepWork work;
};

Sweep read_sweep(const SweepOptions& options, const Command& command) {
  const BusyLine busy(command.terminal, shows_progress(options.work.quiet),
                      "reading " + options.file.string());
  return load_kind(options.file, FileKind::sweep, [&] { return load_sweep(options.file); });
}

void run_sweep(const SweepOptions& options, Command& command) {
  const Sweep sweep = read_sweep(options, command);
  const std::string stopped = work_on_sweep(options.work, sweep, sweep.name, command);
  const SweepReader reader(options.work.folder);
  print_summary(reader, command.out);
  command.status = stopped.empty() ? exit_status_of(reader) : ExitStatus::unfinished;
  if (!stopped.empty()) command.err << "flitmend: " << stopped << '\n';
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
  CLI::App* sweep = program.add_subcommand("sweep", "Run the many simulations that SWEEP.yaml describes.");
  sweep->add_option("SWEEP", options->file, "The sweep file; see docs/sweeps.md.")->required();
  sweep->add_option("--out", options->work.folder, "Folder for results.sqlite; created if necessary.")
      ->required()
      ->type_name("DIR")
      ->check(output_name());
  add_whole_number(*sweep, "--jobs", options->work.jobs,
                   "Points to run at a time; default: the number of processors.", Range<unsigned>{1, 4096});
  sweep->add_flag("--slurm", options->work.slurm,
                  "Run the points as a Slurm job array and wait for it; all nodes must see DIR.");
  sweep->add_flag("--resume", options->work.resume,
                  "Continue with the results in DIR: run only what is missing.");
  add_no_cache(*sweep, options->work.no_cache);
  add_quiet(*sweep, options->work.quiet);
  sweep->callback([options, &command] { run_sweep(*options, command); });
}

void add_sweep_task(CLI::App& program, Command& command) {
  const auto options = std::make_shared<TaskOptions>();
  CLI::App* task = program.add_subcommand("sweep-task", "One task of a sweep's job array; started by Slurm.");
  task->group("");
  task->add_option("DIR", options->folder, "The sweep's folder.")->required();
  task->add_option("INDEX", options->index, "Index of the task.")->required();
  task->callback([options, &command] { run_task(*options, command); });
}

}  // namespace flitmend
