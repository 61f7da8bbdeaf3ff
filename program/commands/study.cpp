// SPDX-License-Identifier: Apache-2.0
#include "program/commands/commands.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/errors.h"
#include "base/table.h"
#include "exploration/studies/study_file.h"
#include "program/commands/checked_options.h"
#include "program/commands/file_kind.h"
#include "program/commands/study_run.h"

namespace flitmend {
namespace {

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
