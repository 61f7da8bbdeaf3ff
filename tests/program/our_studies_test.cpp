// SPDX-License-Identifier: Apache-2.0
// The studies that come with flitmend, in one of their versions, from start to report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "support/program.h"

namespace flitmend {
namespace {

struct OurStudy {
  std::string name;
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

TEST_P(OurStudies, ComeOutAsTheyAreKnownTo) {
  EXPECT_EQ(run(GetParam().name), GetParam().not_borne_out.empty() ? 0 : 7) << out_;
  EXPECT_TRUE(read_study_header(folder_ / "o").complete);
  EXPECT_EQ(statements(false), GetParam().not_borne_out) << out_;
  EXPECT_GE(statements(true).size(), 3u);
}

/// docs/fidelity.md says by how much they are missed, and what is known of the causes.
std::set<std::string> latency_near_saturation_differs() {
  if (*FLITMEND_STUDY_OPTION) return {};
  const std::string says = "Total latency at 90 % of saturation: the 8x8 ";
  return {says + "mesh, uniform traffic, messages of 16 flits, 2 VCs with buffers of 4",
          says +
              "torus with dateline strict and ties plus, uniform traffic, messages of 16 flits, 4 VCs with "
              "buffers of 16, links of two cycles"};
}

/// A tie within 5 % that five seeds leave open at load .1: the ratio is .99 ± .06.
std::set<std::string> rate_of_faults_is_open() {
  if (*FLITMEND_STUDY_OPTION) return {};
  return {"Figure 78: the rate of faults does not change the latency of corrupted messages by more than 5 %"};
}

/// All of them but that of the tables, which has a test of its own.
std::vector<OurStudy> our_studies() {
  const std::map<std::string, std::set<std::string>> not_borne_out = {
      {"fidelity", latency_near_saturation_differs()}, {"recovery-protocols", rate_of_faults_is_open()}};
  std::vector<OurStudy> all;
  for (const auto& file : std::filesystem::directory_iterator(FLITMEND_SOURCE_DIR "/studies")) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".yaml" || name == "paper-tables") continue;
    const auto known = not_borne_out.find(name);
    all.push_back({name, known == not_borne_out.end() ? std::set<std::string>() : known->second});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Studies, OurStudies, testing::ValuesIn(our_studies()), [](const auto& study) {
  std::string name = study.param.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// The tests of the tables check which of their rows are misprints or refuted.
TEST_F(OurStudies, PublishedTables) {
  EXPECT_EQ(run("paper-tables"), 0) << out_;
  EXPECT_EQ(statements(false), std::set<std::string>()) << out_;
  EXPECT_GE(statements(true).size(), 4u) << out_;
  EXPECT_GE(statements(true).size() + statements(false).size(), 11u);
}

}  // namespace
}  // namespace flitmend
