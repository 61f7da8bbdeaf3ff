// SPDX-License-Identifier: Apache-2.0
#include "analysis/paper_tables/paper_table.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(PaperRow, AgreesWhereOursRoundsToThePrintedDigits) {
  EXPECT_EQ(compare_digits("a", .214, 3, .213967).verdict, PaperVerdict::agrees);
  EXPECT_EQ(compare_digits("a", .214, 3, .2145).verdict, PaperVerdict::agrees);
  EXPECT_EQ(compare_digits("a", .214, 3, .214501).verdict, PaperVerdict::deviates);
  EXPECT_EQ(compare_digits("a", 1, 0, 1.4).verdict, PaperVerdict::agrees);
  EXPECT_NEAR(*compare_digits("a", .214, 3, .213967).difference(), -.000033, 1e-12);
}

TEST(PaperRow, IsAMisprintOnlyWhereOursIsTheValueThatWasMeant) {
  const auto row = [](double ours) {
    return compare_digits("a", .49, 3, ours).or_misprint_of(.049, "a zero is missing");
  };

  EXPECT_EQ(row(.0486).verdict, PaperVerdict::misprint);
  EXPECT_EQ(row(.0486).reason, "a zero is missing");
  EXPECT_EQ(row(.49).verdict, PaperVerdict::agrees);
  EXPECT_EQ(row(.49).reason, "");
  EXPECT_EQ(row(.2).verdict, PaperVerdict::deviates);
}

TEST(PaperRow, MayBeReplacedByItsOwnJudgement) {
  PaperRow row = compare_digits("k = 3", .49, 2, .0486);
  row = std::move(row).or_misprint_of(.049, "a zero is missing");
  row = std::move(row).note("so it is");
  EXPECT_EQ(row.label, "k = 3");
  EXPECT_EQ(row.reason, "a zero is missing; so it is");
}

TEST(PaperRow, MeasuredValuesAgreeWithinTheirTolerance) {
  EXPECT_EQ(compare_measured("a", .922, 3, .931, .01).verdict, PaperVerdict::agrees);
  EXPECT_EQ(compare_measured("a", .922, 3, .933, .01).verdict, PaperVerdict::deviates);
}

TEST(PaperRow, AStatementHasNoDifference) {
  const PaperRow row = judge_statement("a", "at least .35", .9, true).note("by 0.55");
  EXPECT_EQ(row.verdict, PaperVerdict::agrees);
  EXPECT_FALSE(row.difference());
  EXPECT_EQ(row.reason, "by 0.55");
}

TEST(PaperTables, HaveDistinctNamesAndRows) {
  const auto& entries = paper_tables().entries();
  for (const PaperTableEntry& e : entries) {
    EXPECT_EQ(paper_tables().find(e.name), &e) << "two tables are called " << e.name;
    EXPECT_FALSE(e.description.empty());
    EXPECT_NE(e.compute, nullptr);
  }
}

}  // namespace flitmend
