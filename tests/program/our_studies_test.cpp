// SPDX-License-Identifier: Apache-2.0
// The studies that come with flitmend, in one of their versions, from start to report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "support/every_nth.h"
#include "support/program.h"

namespace flitmend {
namespace {

class OurStudies : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { setenv("FLITMEND_STUDIES", FLITMEND_SOURCE_DIR "/studies", 1); }

  int run(const std::string& name) {
    std::vector<std::string> words = {"study", name, "--out", folder_ / "o"};
    if (*FLITMEND_STUDY_OPTION) words.emplace_back(FLITMEND_STUDY_OPTION);
    ProgramProcess process(words);
    const int status = process.wait();
    out_ = process.out();
    return status;
  }
  /// Statements by whether they came out as the study says: they hold, or are refuted by it.
  std::set<std::string> statements(bool as_stated) const {
    const Database database(folder_ / "o/study.sqlite", Database::Mode::read);
    Statement select = database.prepare("SELECT says, holds = 1 OR refuted_by IS NOT NULL FROM statements");
    std::set<std::string> found;
    while (select.step())
      if ((!select.is_null(1) && select.integer(1) == 1) == as_stated) found.insert(select.text(0));
    return found;
  }

  ScratchFolder folder_;
  std::string out_;
};

/// Those whose quick version takes more than a CPU minute.
const std::set<std::string> kSlow = {"closed-loop",         "mesh-and-torus",     "paper-tables",
                                     "probability-vectors", "recovery-protocols", "routing-algorithms"};

bool wanted(const std::string& study) {
  return !*FLITMEND_STUDY_OPTION || test::every_nth(2) == 1 || !kSlow.count(study);
}

TEST_P(OurStudies, ComeOutAsTheySay) {
  if (!wanted(GetParam())) GTEST_SKIP() << "scripts/nightly runs it";
  EXPECT_EQ(run(GetParam()), 0) << out_;
  EXPECT_TRUE(read_study_header(folder_ / "o").complete);
  EXPECT_EQ(statements(false), std::set<std::string>()) << out_;
  EXPECT_GE(statements(true).size(), 3u);
}

/// All of them but that of the tables, which has a test of its own.
std::vector<std::string> our_studies() {
  std::vector<std::string> all;
  for (const auto& file : std::filesystem::directory_iterator(FLITMEND_SOURCE_DIR "/studies"))
    if (file.path().extension() == ".yaml" && file.path().stem() != "paper-tables")
      all.push_back(file.path().stem().string());
  std::sort(all.begin(), all.end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Studies, OurStudies, testing::ValuesIn(our_studies()), [](const auto& study) {
  std::string name = study.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// The tests of the tables check which of their rows are misprints or refuted.
TEST_F(OurStudies, PublishedTables) {
  if (!wanted("paper-tables")) GTEST_SKIP() << "scripts/nightly runs it";
  EXPECT_EQ(run("paper-tables"), 0) << out_;
  EXPECT_EQ(statements(false), std::set<std::string>()) << out_;
  EXPECT_GE(statements(true).size(), 4u) << out_;
  EXPECT_GE(statements(true).size() + statements(false).size(), 11u);
}

}  // namespace
}  // namespace flitmend
