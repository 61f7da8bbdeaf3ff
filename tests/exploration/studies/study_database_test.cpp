// SPDX-License-Identifier: Apache-2.0
// study.sqlite: what is written can be read back; other studies, other schemas, damage.
#include "exploration/studies/study_database.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "exploration/sweeps/database.h"
#include "support/files.h"

namespace flitmend {
namespace {

Study made_up(bool quick = false) {
  Study study;
  study.name = "made-up";
  study.title = "A title";
  study.about = "several words";
  study.text = "title: A title\n";
  study.quick = quick;
  study.references = {{"model", "a", "hops.mean", "traffic.load", {{0.1, 3}, {0.2, 4.5}}}};
  return study;
}

std::string refusal(const std::string& folder, const Study& study, bool resume) {
  return test::message_of<ConfigurationError>([&] { begin_study(folder, study, "1.2.3", resume); });
}

TEST(StudyDatabase, WhatIsWrittenIsRead) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "";
  EXPECT_FALSE(has_study(path));
  begin_study(path, made_up(true), "1.2.3", false);
  EXPECT_TRUE(has_study(path));
  EXPECT_FALSE(read_study_header(path).complete);
  const std::vector<JudgedPart> parts = {
      {"at", "a < b", "below 0", "1 and 2", Verdict::holds, .1, false},
      {"at", "b < c", "below 0", "2 and 3", Verdict::undecided, .1, false}};
  write_statements(path,
                   {{"says", "judged", "measured", Verdict::holds, {}, ""},
                    {"u", "", "", Verdict::undecided, parts, ""},
                    {"f", "", "", Verdict::fails, {}, ""},
                    {"r", "", "", Verdict::refuted, {}, "because"}},
                   true);
  const StudyHeader header = read_study_header(path);
  EXPECT_EQ(header.name, "made-up");
  EXPECT_EQ(header.title, "A title");
  EXPECT_EQ(header.about, "several words");
  EXPECT_EQ(header.text, "title: A title\n");
  EXPECT_TRUE(header.quick);
  EXPECT_TRUE(header.complete);
  EXPECT_TRUE(header.sweeps.empty());
  ASSERT_EQ(header.references.size(), 1u);
  EXPECT_EQ(header.references[0].name, "model");
  EXPECT_EQ(header.references[0].points, (std::vector<std::pair<double, double>>{{0.1, 3}, {0.2, 4.5}}));
  const Database database(folder / kStudyFile, Database::Mode::read);
  Statement select =
      database.prepare("SELECT number, says, judged, measured, holds, refuted_by FROM statements");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(0), 1);
  EXPECT_EQ(select.text(1), "says");
  EXPECT_EQ(select.text(2), "judged");
  EXPECT_EQ(select.text(3), "measured");
  EXPECT_EQ(select.integer(4), 1);
  ASSERT_TRUE(select.step());
  EXPECT_TRUE(select.is_null(4));
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(4), 0);
  EXPECT_TRUE(select.is_null(5));
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(4), 0);
  EXPECT_EQ(select.text(5), "because");
  EXPECT_FALSE(select.step());
  Statement compared = database.prepare("SELECT statement, number, compared, holds FROM comparisons");
  ASSERT_TRUE(compared.step());
  EXPECT_EQ(compared.integer(0), 2);
  EXPECT_EQ(compared.text(2), "a < b");
  ASSERT_TRUE(compared.step());
  EXPECT_TRUE(compared.is_null(3));
}

TEST(StudyDatabase, BegunAgainItHasNoStatements) {
  const test::TemporaryFolder folder;
  begin_study(folder / "", made_up(), "1.2.3", true);
  write_statements(folder / "", {{"says", "", "", Verdict::holds, {}, ""}}, true);
  begin_study(folder / "", made_up(), "1.2.3", true);
  EXPECT_FALSE(read_study_header(folder / "").complete);
  const Database database(folder / kStudyFile, Database::Mode::read);
  EXPECT_FALSE(database.prepare("SELECT 1 FROM statements").step());
}

// Versions before `refuted_by` wrote a table without that column.
TEST(StudyDatabase, ResumesAFileOfAnEarlierVersion) {
  const test::TemporaryFolder folder;
  begin_study(folder / "", made_up(), "1.2.3", false);
  Database(folder / kStudyFile, Database::Mode::write)
      .execute("ALTER TABLE statements DROP COLUMN refuted_by");
  begin_study(folder / "", made_up(), "1.2.3", true);
  write_statements(folder / "", {{"r", "", "", Verdict::refuted, {}, "because"}}, true);
  const Database database(folder / kStudyFile, Database::Mode::read);
  Statement select = database.prepare("SELECT holds, refuted_by FROM statements");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(0), 0);
  EXPECT_EQ(select.text(1), "because");
}

TEST(StudyDatabase, RefusesWhatIsNotThisStudys) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "", file = folder / kStudyFile;
  begin_study(path, made_up(), "1.2.3", false);
  EXPECT_EQ(
      refusal(path, made_up(), false),
      file +
          " already holds a study; --resume runs what is missing and judges again, or choose another folder "
          "with --out");
  Study other = made_up();
  other.name = "other";
  EXPECT_EQ(refusal(path, other, true), file + " holds the study made-up; choose another folder with --out");
  EXPECT_EQ(refusal(path, made_up(true), true),
            file + " holds the full version of the study; choose another folder with --out");
  Database(file, Database::Mode::write).execute("UPDATE meta SET value = '99' WHERE key = 'schema'");
  const std::string schema =
      "cannot read " + file +
      ": its schema is 99, but this version of flitmend reads 1; run the study again in another folder";
  EXPECT_EQ(refusal(path, made_up(), true), schema);
  EXPECT_EQ(test::message_of<ConfigurationError>([&] { read_study_header(path); }), schema);
  test::write_file(file, "no database at all, but long enough to be taken for one");
  EXPECT_NE(test::message_of<ConfigurationError>([&] { read_study_header(path); }).find(file),
            std::string::npos);
}

}  // namespace
}  // namespace flitmend
