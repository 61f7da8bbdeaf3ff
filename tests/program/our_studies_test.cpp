// SPDX-License-Identifier: Apache-2.0
// The studies that come with flitmend, in one of their versions, from start to report.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "support/program.h"

namespace flitmend {
namespace {

struct OurStudy {
  const char* name;
  std::set<std::string> not_borne_out;  ///< statements that are known not to hold, and are reported so
};

void PrintTo(const OurStudy& study, std::ostream* out) {
  *out << study.name;
}

class OurStudies : public testing::TestWithParam<OurStudy> {
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
  /// Statements by whether they hold.
  std::set<std::string> statements(bool hold) const {
    const Database database(folder_ / "o/study.sqlite", Database::Mode::read);
    Statement select = database.prepare("SELECT says, holds FROM statements");
    std::set<std::string> found;
    while (select.step())
      if ((!select.is_null(1) && select.integer(1) == 1) == hold) found.insert(select.text(0));
    return found;
  }

  ScratchFolder folder_;
  std::string out_;
};

TEST_P(OurStudies, ComeOutAsTheyAreKnownTo) {
  EXPECT_EQ(run(GetParam().name), GetParam().not_borne_out.empty() ? 0 : 7) << out_;
  EXPECT_TRUE(read_study_header(folder_ / "o").complete);
  EXPECT_EQ(statements(false), GetParam().not_borne_out) << out_;
  EXPECT_GE(statements(true).size(), 3u);
}

/// As measured (docs/studies.md has the figures); the cause has not been investigated.
std::set<std::string> latency_does_not_fall_at_every_load() {
  const std::string says = " more virtual channels have lower latency at every load";
  std::set<std::string> statements = {"Figure 58: on the mesh," + says};
  if (!*FLITMEND_STUDY_OPTION) statements.insert("Figure 60: on the hypercube," + says);
  return statements;
}

INSTANTIATE_TEST_SUITE_P(Studies, OurStudies,
                         testing::Values(OurStudy{"booksim", {}}, OurStudy{"mesh-and-torus", {}},
                                         OurStudy{"virtual-channels", latency_does_not_fall_at_every_load()}),
                         [](const auto& study) {
                           std::string name = study.param.name;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

// The tests of the tables check which of their rows deviate.
TEST_F(OurStudies, PublishedTables) {
  const int status = run("paper-tables");
  EXPECT_EQ(status, statements(false).empty() ? 0 : 7) << out_;
  EXPECT_GE(statements(true).size(), 4u) << out_;
  EXPECT_GE(statements(true).size() + statements(false).size(), 11u);
}

}  // namespace
}  // namespace flitmend
