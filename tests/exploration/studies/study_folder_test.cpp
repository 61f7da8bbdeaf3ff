// SPDX-License-Identifier: Apache-2.0
// The studies that come with the program: all are valid, and they have enough seeds.
#include "exploration/studies/study_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/errors.h"
#include "support/files.h"

namespace flitmend {
namespace {

const std::string kOurs = FLITMEND_SOURCE_DIR "/studies";

TEST(StudyFolder, OurStudiesHaveFiveSeedsAndAQuickVersionThatIsSmaller) {
  const std::vector<std::filesystem::path> files = all_studies(kOurs);
  EXPECT_GE(files.size(), 4u);
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    const Study full = load_study(file, false), quick = load_study(file, true);
    EXPECT_FALSE(full.about.empty());
    for (const StudyStatement& s : full.statements)
      for (const Comparison& c : s.comparisons)
        EXPECT_GE((c.left.constant ? c.right : c.left).units.size(), 5u) << s.says;
    std::int64_t full_units = 0, quick_units = 0;
    for (const auto& sweep : full.sweeps) full_units += sweep->plan.units();
    for (const auto& sweep : quick.sweeps) quick_units += sweep->plan.units();
    EXPECT_TRUE(quick_units < full_units || quick.statements.size() < full.statements.size());
  }
}

TEST(StudyFolder, FindsStudiesByNameOrFile) {
  setenv("FLITMEND_STUDIES", kOurs.c_str(), 1);
  EXPECT_EQ(studies_folder(), kOurs);
  EXPECT_EQ(find_study("booksim"), kOurs + "/booksim.yaml");
  EXPECT_EQ(find_study("./booksim"), "./booksim");
  EXPECT_EQ(find_study("own.yaml"), "own.yaml");
  EXPECT_EQ(test::message_of<ConfigurationError>([] { find_study("boksim"); }),
            "unknown study 'boksim' (did you mean 'booksim'?)");
  setenv("FLITMEND_STUDIES", "/nowhere", 1);
  EXPECT_EQ(test::message_of<ConfigurationError>([] { studies_folder(); }),
            "FLITMEND_STUDIES names /nowhere, which is not a folder");
}

}  // namespace
}  // namespace flitmend
