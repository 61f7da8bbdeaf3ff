// SPDX-License-Identifier: Apache-2.0
#include "exploration/studies/study_database.h"

#include "base/errors.h"
#include "exploration/studies/statement_spec.h"
#include "exploration/sweeps/database.h"

namespace flitmend {
namespace {

constexpr const char* kStudyTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE statements(
  number INTEGER PRIMARY KEY,
  says TEXT NOT NULL,
  judged TEXT NOT NULL,
  measured TEXT NOT NULL,
  holds INTEGER,
  refuted_by TEXT);
CREATE TABLE comparisons(
  statement INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  compared TEXT NOT NULL,
  wanted TEXT NOT NULL,
  measured TEXT NOT NULL,
  holds INTEGER,
  PRIMARY KEY(statement, number)) WITHOUT ROWID;
)";

std::optional<std::int64_t> holds_of(Verdict v) {
  if (v == Verdict::undecided) return std::nullopt;
  return v == Verdict::holds ? 1 : 0;
}

/// Files of earlier versions have no column `refuted_by`.
void add_missing_column(Database& database) {
  Statement column =
      database.prepare("SELECT 1 FROM pragma_table_info('statements') WHERE name = 'refuted_by'");
  if (!column.step()) database.execute("ALTER TABLE statements ADD COLUMN refuted_by TEXT");
}

void check_schema(const Database& database) {
  database.check_schema(kStudySchema, "the file of a study", "study");
}

void check_same_study(const Database& database, const Study& study, bool resume) {
  check_schema(database);
  const std::string file = database.path().string();
  if (!resume)
    throw ConfigurationError(
        file +
        " already holds a study; --resume runs what is missing and judges again, or choose "
        "another folder with --out");
  const auto refuse = [&](const std::string& which) {
    throw ConfigurationError(file + " holds " + which + "; choose another folder with --out");
  };
  if (const std::string name = database.meta("name"); name != study.name) refuse("the study " + name);
  if ((database.meta("quick") == "1") != study.quick)
    refuse(study.quick ? "the full version of the study" : "the quick version of the study");
}

}  // namespace

bool has_study(const std::filesystem::path& folder) {
  std::error_code none;
  return std::filesystem::is_regular_file(folder / kStudyFile, none);
}

void check_study_folder(const std::filesystem::path& folder, const Study& study, bool resume) {
  if (!has_study(folder)) return;
  const Database database(folder / kStudyFile, Database::Mode::read);
  if (!database.is_empty()) check_same_study(database, study, resume);
}

void begin_study(const std::filesystem::path& folder, const Study& study, const std::string& version,
                 bool resume) {
  Database database(folder / kStudyFile, Database::Mode::create);
  const bool fresh = database.is_empty();
  if (!fresh) check_same_study(database, study, resume);
  Transaction transaction(database);
  if (fresh)
    database.execute(kStudyTables);
  else
    add_missing_column(database);
  database.put_meta("schema", std::to_string(kStudySchema));
  database.put_meta("flitmend", version);
  database.put_meta("name", study.name);
  database.put_meta("title", study.title);
  database.put_meta("about", study.about);
  database.put_meta("study", study.text);
  database.put_meta("quick", study.quick ? "1" : "0");
  database.put_meta("complete", "0");
  Json sweeps = Json::array();
  for (const auto& sweep : study.sweeps) sweeps.push_back(sweep->name);
  database.put_meta("sweeps", sweeps.dump());
  Json references = Json::array();
  for (const StudyReference& r : study.references)
    references.push_back(
        {{"name", r.name}, {"sweep", r.sweep}, {"metric", r.metric}, {"key", r.key}, {"points", r.points}});
  database.put_meta("references", references.dump());
  database.execute("DELETE FROM statements; DELETE FROM comparisons;");
  transaction.commit();
}

void write_statements(const std::filesystem::path& folder, const std::vector<JudgedStatement>& statements,
                      bool complete) {
  Database database(folder / kStudyFile, Database::Mode::write);
  Transaction transaction(database);
  database.execute("DELETE FROM statements; DELETE FROM comparisons;");
  Statement insert = database.prepare("INSERT INTO statements VALUES(?, ?, ?, ?, ?, ?)");
  Statement insert_part = database.prepare("INSERT INTO comparisons VALUES(?, ?, ?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const JudgedStatement& s : statements) {
    insert.run(++number, s.says, s.judged, s.measured, holds_of(s.verdict),
               s.refuted_by.empty() ? std::nullopt : std::optional(s.refuted_by));
    std::int64_t part = 0;
    for (const JudgedPart& p : s.parts)
      insert_part.run(number, ++part, p.at, p.compared, p.wanted, p.measured, holds_of(p.verdict));
  }
  database.put_meta("complete", complete ? "1" : "0");
  transaction.commit();
}

StudyHeader read_study_header(const std::filesystem::path& folder) {
  const Database database(folder / kStudyFile, Database::Mode::read);
  check_schema(database);
  StudyHeader header;
  header.name = database.meta("name");
  header.title = database.meta("title");
  header.about = database.meta("about");
  header.text = database.meta("study");
  header.quick = database.meta("quick") == "1";
  header.complete = database.meta("complete") == "1";
  const Json sweeps = Json::parse(database.meta("sweeps"), nullptr, false);
  if (!sweeps.is_array())
    throw ConfigurationError("cannot read " + database.path().string() + ": its list of sweeps is damaged");
  for (const Json& sweep : sweeps) header.sweeps.push_back(study_value(sweep));
  const std::string references = database.meta("references");
  if (references.empty()) return header;  // of an earlier version
  try {
    for (const Json& r : Json::parse(references))
      header.references.push_back({r.at("name"), r.at("sweep"), r.at("metric"), r.at("key"), r.at("points")});
  } catch (const Json::exception&) {
    throw ConfigurationError("cannot read " + database.path().string() + ": its references are damaged");
  }
  return header;
}

}  // namespace flitmend
