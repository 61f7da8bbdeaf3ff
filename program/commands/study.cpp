// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/table.h"
#include "base/text.h"
#include "exploration/report/page.h"
#include "exploration/studies/judge.h"
#include "exploration/studies/study.h"
#include "exploration/studies/study_database.h"
#include "exploration/studies/study_file.h"
#include "program/commands/checked_options.h"
#include "program/commands/commands.h"
#include "program/commands/file_kind.h"
#include "program/commands/sweep_work.h"
#include "testbench/files/run_folder.h"

namespace flitmend {
namespace {

struct StudyEnd {
  ExitStatus status = ExitStatus::done;
  bool stopped = false;  ///< stopped by a signal: runs are missing, and nothing was judged
};

/// The parts that do not hold, of a statement that does not.
void print_parts(const JudgedStatement& statement, std::ostream& out) {
  constexpr std::size_t kShown = 10;
  if (statement.verdict == Verdict::holds || statement.parts.size() < 2) return;
  std::size_t shown = 0, more = 0;
  for (const JudgedPart& part : statement.parts) {
    if (part.verdict == Verdict::holds) continue;
    if (shown++ >= kShown) {
      ++more;
      continue;
    }
    const std::string what = part.at + (part.at.empty() || part.compared.empty() ? "" : ", ") + part.compared;
    out << "    " << to_word(part.verdict) << ": "
        << escaped_text(what + ": " + part.measured + " (wanted: " + part.wanted + ")") << '\n';
  }
  if (more) out << "    and " << more << " more\n";
}

/// The statements with that verdict.
std::size_t count(const std::vector<JudgedStatement>& statements, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(
      statements.begin(), statements.end(), [&](const JudgedStatement& s) { return s.verdict == verdict; }));
}

/// Prints each statement with its verdict, what was judged and the figures; if it does not hold, the parts
/// that do not. Then the number of statements that hold.
void print_statements(const std::vector<JudgedStatement>& statements, std::ostream& out) {
  for (const JudgedStatement& s : statements) {
    out << formatted("\n%-10s %s\n", to_word(s.verdict), escaped_text(s.says));
    out << "  " << escaped_text(s.judged) << "\n  " << escaped_text(s.measured) << '\n';
    if (s.verdict == Verdict::refuted) out << "  refuted by: " << escaped_text(s.refuted_by) << '\n';
    print_parts(s, out);
  }
  out << '\n' << count(statements, Verdict::holds) << " of " << statements.size() << " statements hold";
  if (const std::size_t refuted = count(statements, Verdict::refuted))
    out << ", " << refuted << (refuted == 1 ? " is refuted" : " are refuted");
  if (const std::size_t fail = count(statements, Verdict::fails))
    out << ", " << fail << (fail == 1 ? " fails" : " fail");
  if (const std::size_t undecided = count(statements, Verdict::undecided))
    out << ", " << undecided << (undecided == 1 ? " is undecided" : " are undecided");
  out << '\n';
}

/// Runs one sweep after another; returns why it stopped, or empty if nothing is missing.
std::string run_sweeps(const Study& study, const SweepWork& work, Command& command) {
  for (const auto& sweep : study.sweeps) {
    SweepWork mine = work;
    mine.folder = work.folder / sweep->name;
    const std::string stopped = work_on_sweep(mine, sweep->sweep, study.name + "/" + sweep->name, command);
    print_summary(SweepReader(mine.folder), command.out);
    if (!stopped.empty()) return stopped;
  }
  return {};
}

/// Over the points of all sweeps: the first of contract_broken, deadlock, unfinished, bad_usage that any has.
ExitStatus worst_of_points(const Study& study, const std::filesystem::path& folder) {
  ExitStatus worst = ExitStatus::done;
  for (const auto& sweep : study.sweeps) {
    const ExitStatus status = exit_status_of(SweepReader(folder / sweep->name));
    for (const ExitStatus s :
         {ExitStatus::contract_broken, ExitStatus::deadlock, ExitStatus::unfinished, ExitStatus::bad_usage})
      if (status == s || worst == s) {
        worst = s;
        break;
      }
  }
  return worst;
}

void write_report(const std::filesystem::path& folder, Command& command) {
  const std::filesystem::path file = folder / "report.html";
  if (!plotting_library().complete()) {
    command.err
        << "flitmend: no report was written, because this program was built without the plotting library "
           "(docs/report.md)\n";
    return;
  }
  write_checked(file, report_html(folder, plotting_library()));
  command.out << escaped_text(file.string()) << '\n';
}

StudyEnd run_and_judge(const Study& study, const SweepWork& work, Command& command) {
  prepare_output_folder(work.folder);
  const FolderLock lock(work.folder);
  // Refuses everything that can be refused before earlier judgements are discarded.
  check_study_folder(work.folder, study, work.resume);
  if (work.resume)
    for (const auto& sweep : study.sweeps)
      check_resumable(work.folder / sweep->name, sweep->sweep, study.name + "/" + sweep->name);
  begin_study(work.folder, study, FLITMEND_VERSION, work.resume);
  command.out << escaped_text(study.name + (study.quick ? " (quick): " : ": ") + study.title) << '\n'
              << std::flush;
  const std::string stopped = run_sweeps(study, work, command);
  if (!stopped.empty()) {
    command.err << "flitmend: " << stopped << '\n';
    return {ExitStatus::unfinished, true};
  }
  std::vector<StudyResults> results;
  for (const auto& sweep : study.sweeps) results.emplace_back(SweepReader(work.folder / sweep->name));
  std::vector<JudgedStatement> statements;
  for (const StudyStatement& s : study.statements) statements.push_back(judge(s, results, work.jobs));
  write_statements(work.folder, statements, true);
  print_statements(statements, command.out);
  write_report(work.folder, command);
  const ExitStatus points = worst_of_points(study, work.folder);
  const bool all_hold =
      count(statements, Verdict::holds) + count(statements, Verdict::refuted) == statements.size();
  return {all_hold || points == ExitStatus::contract_broken ? points : ExitStatus::not_borne_out, false};
}

/// Runs the sweeps of a study in folders inside `work.folder`, judges its statements, prints and stores them,
/// and writes report.html. Exit status: contract_broken if a point broke the contract or crashed, else
/// unfinished if it was stopped, else not_borne_out if a statement does not hold, else that of the sweeps'
/// points. Throws ConfigurationError if the folder belongs to another study.
StudyEnd run_study(const Study& study, const SweepWork& work, Command& command) {
  return with_remedy([&] { return run_and_judge(study, work, command); });
}

struct StudyOptions {
  std::string study;
  bool all = false;
  bool list = false;
  bool quick = false;
  SweepWork work;
};

void print_studies(std::ostream& out) {
  Table table{.columns = {{"study"}, {"about"}}};
  for (const std::filesystem::path& file : all_studies(studies_folder())) {
    const Study study = load_study(file, false);
    table.add({study.name, study.title});
  }
  out << table.text();
}

/// The exit status for several studies: the first in this list that one of them ended with.
ExitStatus worse(ExitStatus a, ExitStatus b) {
  for (const ExitStatus s : {ExitStatus::contract_broken, ExitStatus::unfinished, ExitStatus::not_borne_out,
                             ExitStatus::deadlock, ExitStatus::bad_usage})
    if (a == s || b == s) return s;
  return ExitStatus::done;
}

/// The default folder.
std::filesystem::path default_folder(const Study& study) {
  return std::filesystem::path("out") / (study.name + (study.quick ? "-quick" : ""));
}

Study load_named(const StudyOptions& options) {
  const std::filesystem::path file = find_study(options.study);
  return load_kind(file, FileKind::study, [&] { return load_study(file, options.quick); });
}

void run_studies(const StudyOptions& options, Command& command) {
  // All studies are read before one runs.
  std::vector<Study> studies;
  if (options.all)
    for (const std::filesystem::path& file : all_studies(studies_folder()))
      studies.push_back(load_study(file, options.quick));
  else
    studies.push_back(load_named(options));
  for (const Study& study : studies) {
    SweepWork work = options.work;
    if (work.folder.empty())
      work.folder = default_folder(study);
    else if (options.all)
      work.folder /= study.name;
    if (&study != &studies.front()) command.out << '\n';
    const StudyEnd end = run_study(study, work, command);
    command.status = worse(command.status, end.status);
    if (end.stopped) return;
  }
}

void check_words(const StudyOptions& options) {
  const int given = !options.study.empty() + options.all + options.list;
  if (given != 1)
    throw ConfigurationError(given ? "study: give only one of a study, --all and --list"
                                   : "study: give a study or its file, or --all, or --list");
}

}  // namespace

void add_study(CLI::App& program, Command& command) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* study = program.add_subcommand(
      "study", "Run the sweeps of a study and judge its statements; see docs/studies.md.");
  study->add_option("STUDY", options->study, "Name of a study (see --list), or a study file.");
  study->add_flag("--all", options->all, "Run every study that comes with flitmend.");
  study->add_flag("--list", options->list, "List the studies that come with flitmend.");
  study->add_flag("--quick", options->quick, "Run the smaller version.");
  study
      ->add_option("--out", options->work.folder,
                   "Folder for results and report, created if necessary; default: out/NAME. With --all, "
                   "each study has its own folder inside it.")
      ->type_name("DIR")
      ->check(output_name());
  add_whole_number(*study, "--jobs", options->work.jobs,
                   "Points to run at a time; default: the number of processors.", Range<unsigned>{1, 4096});
  study->add_flag("--slurm", options->work.slurm,
                  "Run the points as Slurm job arrays, as flitmend sweep does.");
  study->add_flag("--resume", options->work.resume,
                  "Continue with the results in DIR: run only what is missing, and judge again.");
  add_no_cache(*study, options->work.no_cache);
  add_quiet(*study, options->work.quiet);
  study->callback([options, &command] {
    check_words(*options);
    if (options->list)
      print_studies(command.out);
    else
      run_studies(*options, command);
  });
}

}  // namespace flitmend
