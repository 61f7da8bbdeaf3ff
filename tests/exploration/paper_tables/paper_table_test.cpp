// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/paper_table.h"

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

TEST(PaperRow, IsRefutedOnlyWhereTheWitnessAgreesWithOurs) {
  const auto row = [](double ours, double witness) {
    return compare_digits("a", 16, 0, ours).or_refuted_by(witness, 1, "16,588 samples give 40.1");
  };

  EXPECT_EQ(row(39.8, 40.1).verdict, PaperVerdict::refuted);
  EXPECT_EQ(row(39.8, 40.1).reason, "16,588 samples give 40.1");
  EXPECT_EQ(row(39.8, 40.81).verdict, PaperVerdict::deviates);  // witness and ours differ: ours is in doubt
  EXPECT_EQ(row(30, 40.1).verdict, PaperVerdict::deviates);     // a fault of ours still shows
  EXPECT_EQ(row(30, 40.1).reason, "");
  EXPECT_EQ(row(16.2, 40.1).verdict, PaperVerdict::agrees);
  EXPECT_EQ(row(16.2, 40.1).reason, "");
}

TEST(PaperRow, AMisprintIsNotRefutedAsWell) {
  const PaperRow row = compare_digits("a", .49, 3, .0486)
                           .or_misprint_of(.049, "a zero is missing")
                           .or_refuted_by(.0486, .001, "counted");
  EXPECT_EQ(row.verdict, PaperVerdict::misprint);
  EXPECT_EQ(row.reason, "a zero is missing");
}

TEST(PaperRow, AStatementIsRefutedOnlyWhereTheWitnessDeniesItToo) {
  const auto row = [](bool holds, bool denied) {
    return judge_statement("a", "does not grow", 9.6, holds).or_refuted_if(denied, "Table 3 grows").verdict;
  };
  EXPECT_EQ(row(true, true), PaperVerdict::agrees);
  EXPECT_EQ(row(false, true), PaperVerdict::refuted);
  EXPECT_EQ(row(false, false), PaperVerdict::deviates);
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
