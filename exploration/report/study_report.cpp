// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/study_report.h"

#include "exploration/report/statements.h"
#include "exploration/report/sweep_report.h"
#include "exploration/studies/study_database.h"

namespace flitmend {
namespace {

std::vector<ReferenceCurve> references_of(const StudyHeader& study, const std::string& sweep) {
  std::vector<ReferenceCurve> curves;
  for (const StudyReference& reference : study.references) {
    if (reference.sweep == sweep)
      curves.push_back({reference.name, reference.key, reference.metric, reference.points});
  }
  return curves;
}

}  // namespace

ReportPage study_report(const std::filesystem::path& folder) {
  const StudyHeader study = read_study_header(folder);
  ReportPage page("Study " + study.name + (study.quick ? " (quick version)" : ""), study.title);
  if (!study.complete)
    page.warning("The study is not complete: runs are missing. flitmend study … --resume runs them.");
  if (study.quick) page.warning("This is the quick version, with shorter or fewer runs than the full study.");
  if (!study.about.empty()) page.paragraph(study.about);
  add_statements(page, folder / kStudyFile);
  for (const std::string& name : study.sweeps) {
    const std::filesystem::path place = folder / name;
    page.heading("Sweep " + name);
    if (!SweepReader::has_results(place)) {
      page.paragraph("Not started.");
      continue;
    }
    const SweepReader reader(place);
    const std::vector<PointRecord> points = reader.points();
    page.paragraph(sweep_text(reader, points));
    add_sweep_warnings(page, reader, points);
    add_sweep_results(page, reader, points, references_of(study, name));
  }
  page.listing("Study: " + study.name, study.text, true);
  return page;
}

}  // namespace flitmend
