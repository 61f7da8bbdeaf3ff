// SPDX-License-Identifier: Apache-2.0
#include "program/commands/sweep_work.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/processors.h"
#include "base/table.h"
#include "base/text.h"
#include "exploration/sweeps/named_files.h"
#include "exploration/sweeps/plan.h"
#include "exploration/sweeps/reader.h"
#include "exploration/sweeps/runner.h"
#include "exploration/sweeps/slurm/slurm_sweep.h"
#include "program/terminal/interrupt.h"
#include "program/terminal/terminal_line.h"
#include "testbench/files/run_folder.h"

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

namespace {

std::map<PointStatus, std::size_t> count(const std::vector<PointRecord>& points) {
  std::map<PointStatus, std::size_t> counts;
  for (const PointRecord& p : points) ++counts[p.status];
  return counts;
}

std::string settings_text(const Json& axes) {
  std::string text;
  for (const auto& [key, value] : axes.items())
    text += (text.empty() ? "" : ", ") + key + "=" +
            (value.is_string() ? value.get<std::string>() : value.dump());
  return escaped_text(text);
}

/// The points that went wrong or have something to say, those of one status and reason together.
void print_messages(const std::vector<PointRecord>& points, std::ostream& out) {
  constexpr std::size_t kShown = 10;  // reasons
  std::vector<std::vector<const PointRecord*>> groups;
  std::map<std::pair<PointStatus, std::string>, std::size_t> group_of;
  for (const PointRecord& p : points) {
    if (p.status == PointStatus::done && p.message.empty()) continue;
    const std::string reason = p.message.substr(0, p.message.find('\n'));
    const auto [group, fresh] = group_of.try_emplace({p.status, reason}, groups.size());
    if (fresh) groups.emplace_back();
    groups[group->second].push_back(&p);
  }
  for (std::size_t g = 0; g < std::min(groups.size(), kShown); ++g) {
    const PointRecord& first = *groups[g].front();
    out << "point " << first.id << " (" << settings_text(first.axes) << ")";
    if (const std::size_t others = groups[g].size() - 1; others > 0)
      out << " and " << counted(others, "other") << " for the same reason";
    out << ": " << to_word(first.status) << ": "
        << escaped_text(first.message.substr(0, first.message.find('\n'))) << '\n';
  }
  if (groups.size() > kShown) out << "and " << counted(groups.size() - kShown, "reason") << " more\n";
}

std::string optional_text(const std::optional<double>& value) {
  return value ? formatted("%.4g", *value) : "-";
}

void print_curves(const std::vector<SaturationRecord>& curves, std::ostream& out) {
  if (curves.empty()) return;
  Table table{.columns = {{"curve"},
                          {"saturation load", Table::right},
                          {"throughput", Table::right},
                          {"zero-load latency", Table::right},
                          {""}}};
  for (const SaturationRecord& c : curves)
    table.add({settings_text(c.axes), optional_text(c.load), optional_text(c.throughput),
               optional_text(c.zero_load_latency), escaped_text(c.message)});
  out << '\n';
  out << table.text();
}

}  // namespace

void print_summary(const SweepReader& reader, std::ostream& out) {
  const std::vector<PointRecord> points = reader.points();
  out << points.size() << (points.size() == 1 ? " point" : " points") << " in "
      << escaped_text(reader.path().string());
  const char* separator = ": ";
  for (const auto& [status, number] : count(points)) {
    out << separator << number << ' ' << to_word(status);
    separator = ", ";
  }
  out << '\n';
  print_messages(points, out);
  print_curves(reader.saturation(), out);
}

ExitStatus exit_status_of(const SweepReader& reader) {
  const std::vector<PointRecord> points = reader.points();
  std::map<PointStatus, std::size_t> counts = count(points);
  const bool not_now = std::any_of(points.begin(), points.end(), [](const PointRecord& p) {
    return p.status == PointStatus::refused && p.exit_status == to_int(ExitStatus::unfinished);
  });
  if (counts[PointStatus::contract_broken] + counts[PointStatus::crashed]) return ExitStatus::contract_broken;
  if (counts[PointStatus::deadlock]) return ExitStatus::deadlock;
  if (counts[PointStatus::unfinished] + counts[PointStatus::timed_out] || not_now)
    return ExitStatus::unfinished;
  if (counts[PointStatus::refused] && !counts[PointStatus::done]) return ExitStatus::bad_usage;
  return ExitStatus::done;
}

}  // namespace flitmend
