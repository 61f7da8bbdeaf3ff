// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/text.h"
#include "exploration/campaign/campaign.h"
#include "exploration/campaign/campaign_plan.h"
#include "exploration/campaign/exhaustive_campaign.h"
#include "program/commands/checked_options.h"
#include "program/commands/file_kind.h"
#include "program/commands/sweep_work.h"
#include "testbench/files/run_folder.h"

namespace flitmend {
namespace {

struct CampaignOptions {
  std::filesystem::path file;
  bool exhaustive = false;
  SweepWork work;
};

/// Says before each round how far the campaign is.
void print_round(const CampaignPlan& plan, std::size_t runs, std::ostream& err) {
  err << "round " << plan.rounds() << ": " << counted(runs, "run");
  if (plan.runs() > 0)
    err << "; " << plan.runs() << " done, " << plan.complete() << " of " << plan.strata().size()
        << " strata have enough hits";
  err << std::endl;
}

/// Writes the configuration of the first runs that failed, and prints how to repeat them with waves.
void offer_replays(const SweepReader& reader, const std::filesystem::path& folder, std::ostream& out) {
  constexpr std::size_t kMost = 10;
  std::size_t failed = 0;
  for (const PointRecord& run : reader.points()) {
    if (run.status == PointStatus::done || run.configuration.empty()) continue;
    if (++failed > kMost) continue;
    if (failed == 1) out << "\nTo repeat a run that failed, with waveforms and events:\n";
    const std::filesystem::path name = folder / "replay" / formatted("run_%1%", run.id);
    prepare_output_folder(name.parent_path());
    const std::string file = name.string() + ".yaml";
    write_checked(file, run.configuration);
    out << "  flitmend run " << shell_word(file) << " --set statistics.events=true --waves --out "
        << shell_word(name.string()) << '\n';
  }
  if (failed > kMost) out << "and " << failed - kMost << " more runs failed\n";
}

ExitStatus status_of(const SweepReader& reader) {
  const ExitStatus status = exit_status_of(reader);
  if (status != ExitStatus::done) return status;
  for (const PointRecord& run : reader.points())
    if (run.status == PointStatus::refused) return ExitStatus::bad_usage;
  return status;
}

/// A campaign that counts its own table counts its hits twice.
void check_earlier(const Campaign& campaign, const CampaignOptions& options) {
  const auto own = std::filesystem::weakly_canonical(options.work.folder / "bounds.csv");
  for (const FoundBounds& earlier : campaign.earlier)
    if (std::filesystem::weakly_canonical(options.file.parent_path() / earlier.name) == own)
      throw ConfigurationError(campaign.name + ": earlier: '" + earlier.name +
                               "' is where this campaign writes; choose another --out");
}

/// Writes the configuration of a failure, and returns the command that repeats it with waves.
std::string write_failure(const SmallestFailure& failure, const std::filesystem::path& folder) {
  prepare_output_folder(folder / "failures");
  const std::filesystem::path name = folder / "failures" / (failure.protocol + "-" + failure.kind);
  write_checked(name.string() + ".yaml", failure.configuration);
  return formatted("flitmend run %1% --set statistics.events=true --waves --out %2%",
                   shell_word(name.string() + ".yaml"), shell_word(name.string()));
}

void run_exhaustive(const CampaignOptions& options, Command& command) {
  const Sweep sweep =
      load_kind(options.file, FileKind::exhaustive, [&] { return load_exhaustive_campaign(options.file); });
  const std::string stopped = work_on_sweep(options.work, sweep, sweep.name, command);
  const SweepReader reader(options.work.folder);
  const ExhaustiveResults results = exhaustive_results(reader);
  with_remedy([&] {
    write_checked(options.work.folder / "exhaustive.md", results.table);
    write_checked(options.work.folder / "exhaustive.csv", results.csv);
  });
  print_summary(reader, command.out);
  command.out << '\n' << results.table;
  if (!results.failures.empty())
    command.out << "\nThe smallest case of each kind of failure, and how to repeat it:\n";
  for (const SmallestFailure& failure : results.failures)
    command.out << formatted("  %1%, %2%: %3% (%4%)\n    ", failure.protocol, failure.kind, failure.what,
                             counted(failure.cases, "case"))
                << with_remedy([&] { return write_failure(failure, options.work.folder); }) << '\n';
  command.status = exit_status_of(reader);
  if (stopped.empty()) return;
  command.err << "flitmend: " << stopped << '\n';
  command.status = ExitStatus::unfinished;
}

void run_campaign(const CampaignOptions& options, Command& command) {
  if (options.exhaustive) return run_exhaustive(options, command);
  const Campaign campaign =
      load_kind(options.file, FileKind::campaign, [&] { return load_campaign(options.file); });
  check_earlier(campaign, options);
  const SweepPlan runs(campaign.sweep);
  CampaignPlan plan(campaign, runs);
  const bool talk = !options.work.quiet && isatty(STDERR_FILENO);
  const std::string stopped =
      work_on_sweep(options.work, campaign.sweep, campaign.name, command, [&](const SweepReader& reader) {
        std::vector<std::int64_t> units = plan.next(reader);
        if (talk && !units.empty()) print_round(plan, units.size(), command.err);
        return units;
      });
  const SweepReader reader(options.work.folder);
  if (!stopped.empty()) plan.count_stopped(reader);
  const std::string table = bounds_table(campaign, plan);
  with_remedy([&] {
    write_checked(options.work.folder / "bounds.md", table);
    write_checked(options.work.folder / "bounds.csv", bounds_csv(found_bounds(campaign, plan)));
  });
  print_summary(reader, command.out);
  command.out << '\n' << table;
  with_remedy([&] { offer_replays(reader, options.work.folder, command.out); });
  command.status = status_of(reader);
  if (stopped.empty()) return;
  command.err << "flitmend: " << stopped << '\n';
  command.status = ExitStatus::unfinished;
}

}  // namespace

void add_campaign(CLI::App& program, Command& command) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* campaign = program.add_subcommand("campaign",
                                              "Inject random faults until every stratum has enough hits, "
                                              "then bound the failure probability per hit.");
  campaign->add_option("CAMPAIGN", options->file, "The campaign file; see docs/campaign.md.")->required();
  campaign->add_flag("--exhaustive", options->exhaustive,
                     "Try every fault at every cycle of small networks instead of random faults.");
  campaign
      ->add_option("--out", options->work.folder,
                   "Folder for results.sqlite, tables (bounds, or exhaustive: .md, .csv) and runs to repeat; "
                   "created if necessary.")
      ->required()
      ->type_name("DIR")
      ->check(output_name());
  add_whole_number(*campaign, "--jobs", options->work.jobs,
                   "Runs at a time; default: the number of processors.", Range<unsigned>{1, 4096});
  campaign->add_flag("--slurm", options->work.slurm,
                     "Run each round as a Slurm job array and wait for it; all nodes must see DIR.");
  campaign->add_flag("--resume", options->work.resume,
                     "Continue with the results in DIR: run only what is missing.");
  add_no_cache(*campaign, options->work.no_cache);
  add_quiet(*campaign, options->work.quiet);
  campaign->callback([options, &command] { run_campaign(*options, command); });
}

}  // namespace flitmend
