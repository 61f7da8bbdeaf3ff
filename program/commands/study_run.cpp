// SPDX-License-Identifier: Apache-2.0
#include "program/commands/study_run.h"

#include <algorithm>

#include "base/checked_file.h"
#include "base/errors.h"
#include "base/escaped_text.h"
#include "base/text.h"
#include "exploration/report/report.h"
#include "exploration/studies/judge.h"
#include "exploration/studies/study_database.h"
#include "program/commands/sweep_summary.h"
#include "testbench/files/output_folder.h"

namespace flitmend {
namespace {

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

}  // namespace

StudyEnd run_study(const Study& study, const SweepWork& work, Command& command) {
  return with_remedy([&] { return run_and_judge(study, work, command); });
}

}  // namespace flitmend
