// SPDX-License-Identifier: Apache-2.0
#include "exploration/report/sections.h"

#include "base/text.h"
#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"

namespace flitmend {
namespace {

/// Quoted as an identifier of SQL.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string verdict(const std::optional<std::string>& holds, bool refuted) {
  if (!holds) return "? undecided";
  if (refuted) return "⊘ refuted";
  return *holds == "1" ? "✓ holds" : *holds == "0" ? "✗ fails" : *holds;
}

struct VerdictTable {
  Table table;
  std::size_t held = 0;
  std::size_t refuted = 0;
  bool judged = false;  ///< it has a column `holds`
};

/// A whole table; every column unchanged except `holds`, and without `refuted_by` if nothing is.
VerdictTable verdict_table(const Database& database, const std::string& name, const std::string& caption) {
  VerdictTable result{{caption, {}, {}}, 0, 0, false};
  std::string names;
  std::size_t holds = std::string::npos, refuted_by = std::string::npos;
  Statement columns = database.prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid");
  columns.bind(1, name);
  while (columns.step()) {
    const std::string column = columns.text(0);
    if (column == "holds") holds = result.table.columns.size();
    if (column == "refuted_by") refuted_by = result.table.columns.size();
    result.table.columns.push_back({column == "holds" ? "verdict" : column});
    names += (names.empty() ? "" : ", ") + quoted(column);
  }
  result.judged = holds != std::string::npos;
  Statement rows = database.prepare("SELECT " + names + " FROM " + quoted(name));
  while (rows.step()) {
    std::vector<std::string> row;
    const bool refuted =
        refuted_by != std::string::npos && rows.maybe_text(static_cast<int>(refuted_by)).has_value();
    if (refuted) ++result.refuted;
    for (std::size_t i = 0; i < result.table.columns.size(); ++i) {
      const std::optional<std::string> cell = rows.maybe_text(static_cast<int>(i));
      row.push_back(i == holds ? verdict(cell, refuted) : cell.value_or("–"));
      if (i == holds && cell == "1") ++result.held;
    }
    result.table.rows.push_back(std::move(row));
  }
  if (refuted_by != std::string::npos && !result.refuted) {
    result.table.columns.erase(result.table.columns.begin() + static_cast<std::ptrdiff_t>(refuted_by));
    for (std::vector<std::string>& row : result.table.rows)
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(refuted_by));
  }
  return result;
}

std::vector<StudyReference> references_of(const StudyHeader& study, const std::string& sweep) {
  std::vector<StudyReference> references = study.references;
  std::erase_if(references, [&](const StudyReference& reference) { return reference.sweep != sweep; });
  return references;
}

/// The statements of a study with their verdicts: every column of the table `statements` of an SQLite file,
/// with `holds` (1, 0, NULL) in words, followed by the collapsed table `comparisons`. Adds nothing if the
/// file has no such tables.
void add_statements(ReportPage& page, const std::filesystem::path& results) {
  const Database database(results, Database::Mode::read);
  if (!database.has_table("statements")) return;
  const VerdictTable statements = verdict_table(database, "statements", "Statements");
  page.heading("Statements");
  if (statements.judged)
    page.paragraph(formatted("%1% of %2% statements hold%3%.", statements.held, statements.table.rows.size(),
                             statements.refuted ? formatted(", %1% %2% refuted", statements.refuted,
                                                            statements.refuted == 1 ? "is" : "are")
                                                : ""));
  page.table(statements.table, false);
  if (database.has_table("comparisons"))
    page.table(verdict_table(database, "comparisons", "Comparisons that the statements rest on").table, true);
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
