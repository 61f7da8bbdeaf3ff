// SPDX-License-Identifier: Apache-2.0
#include "program/commands/sweep_work.h"

#include <memory>
#include <numeric>

#include "base/errors.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/runner.h"
#include "exploration/sweeps/slurm/slurm_sweep.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_progress.h"
#include "testbench/files/output_folder.h"

namespace flitmend {
namespace {

SweepIdentity identity_of(const Sweep& sweep, const std::string& name) {
  return {FLITMEND_VERSION, sweep.base, sweep.base_name, sweep.text, name, named_files(sweep)};
}

SweepWriter open_results(const SweepWork& work, const Sweep& sweep, const SweepIdentity& identity) {
  std::vector<AxisRecord> axes;
  for (const SweepAxis& axis : sweep.axes) axes.push_back(axis.record());
  return work.resume ? SweepWriter::resume(work.folder, identity, axes)
                     : SweepWriter::create(work.folder, identity, axes);
}

/// Runs what is missing on this machine; true if nothing is missing any more.
bool run_here(const SweepWork& work, const SweepPlan& plan, SweepWriter& writer, SlurmSweep& cluster,
              std::vector<std::int64_t> units, SweepProgressSink* progress, const std::atomic<bool>& stop) {
  if (cluster.begun()) {
    if (const std::string job = cluster.running_job(); !job.empty())
      throw ConfigurationError("Slurm job " + job + " is still working on " + work.folder.string() +
                               "; --slurm --resume waits for it, scancel " + job + " cancels it");
    cluster.merge();
  }
  return SweepRunner(plan, writer, work.folder, work.jobs ? work.jobs : processors(),
                     work.no_cache ? VerdictCache() : VerdictCache::of_user())
      .run(std::move(units), progress, stop);
}

std::string stopped_text(const SweepWork& work, const SlurmSweep& cluster) {
  const std::string job = work.slurm ? cluster.running_job() : "";
  if (job.empty()) return "stopped by a signal; --resume runs what is missing";
  return "stopped waiting; Slurm job " + job + " continues: --slurm --resume waits for it again, scancel " +
         job + " cancels it";
}

}  // namespace

void check_resumable(const std::filesystem::path& folder, const Sweep& sweep, const std::string& name) {
  if (SweepReader::has_results(folder)) SweepWriter::check_resumable(folder, identity_of(sweep, name));
}

std::string work_on_sweep(const SweepWork& work, const Sweep& sweep, const std::string& name,
                          const Command& command) {
  bool all = false;
  return work_on_sweep(work, sweep, name, command, [&](const SweepReader&) {
    std::vector<std::int64_t> units(all ? 0 : static_cast<std::size_t>(SweepPlan(sweep).units()));
    std::iota(units.begin(), units.end(), std::int64_t{0});
    all = true;
    return units;
  });
}

std::string work_on_sweep(const SweepWork& work, const Sweep& sweep, const std::string& name,
                          const Command& command, const NextUnits& next) {
  const SweepPlan plan(sweep);
  prepare_output_folder(work.folder);
  const FolderLock lock(work.folder);
  const SweepIdentity identity = identity_of(sweep, name);
  for (const std::string& note : unused_keys_notes(unused_keys(plan)))
    command.err << "flitmend: " << note << '\n';
  return with_remedy([&]() -> std::string {
    SweepWriter writer = open_results(work, sweep, identity);
    const SweepReader reader(work.folder);
    SlurmSweep cluster(plan, identity, writer, work.folder, !work.no_cache);
    InterruptGuard interrupt;
    for (std::vector<std::int64_t> units = next(reader); !units.empty(); units = next(reader)) {
      bool complete = false;
      {
        std::unique_ptr<TerminalSweepProgress> progress;
        if (shows_progress(work.quiet)) progress = std::make_unique<TerminalSweepProgress>(command.terminal);
        complete = work.slurm ? cluster.run(std::move(units), progress.get(), interrupt.stop())
                              : run_here(work, plan, writer, cluster, std::move(units), progress.get(),
                                         interrupt.stop());
      }
      if (!complete) return stopped_text(work, cluster);
      cluster.clean_up();
    }
    writer.set_complete();
    return {};
  });
}

}  // namespace flitmend
