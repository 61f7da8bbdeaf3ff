// SPDX-License-Identifier: Apache-2.0
// Every published table that this program can compute exactly, judged row by row.
#include <gtest/gtest.h>

#include "exploration/paper_tables/paper_table.h"

namespace flitmend {
namespace {

PaperTable table(std::string_view name) {
  return paper_tables().at(name).compute({});
}

std::string deviations(const PaperTable& t) {
  std::string text;
  for (const PaperRow& row : t.rows)
    if (row.verdict != PaperVerdict::agrees)
      text += row.label + ": " + std::string(to_string(row.verdict)) + ", ours " + std::to_string(row.ours) +
              "\n";
  return text;
}

}  // namespace

TEST(PaperTables, FaultRingsTable2AgreesInAllRows) {
  const PaperTable t = table("fault-rings-table-2");
  EXPECT_EQ(t.rows.size(), 11u);
  EXPECT_EQ(t.count(PaperVerdict::agrees), 11u) << deviations(t);
}

TEST(PaperTables, ProbabilityVectorsTable1AgreesButForOneMisprint) {
  const PaperTable t = table("probability-vectors-table-1");
  EXPECT_EQ(t.rows.size(), 66u);
  EXPECT_EQ(t.count(PaperVerdict::agrees), 65u) << deviations(t);
  EXPECT_EQ(t.count(PaperVerdict::misprint), 1u);
}

TEST(PaperTables, ProbabilityVectorsTable2IsReproduced) {
  const PaperTable t = table("probability-vectors-table-2");
  ASSERT_EQ(t.rows.size(), 38u);
  for (std::size_t i = 0; i < t.rows.size(); i += 2)
    EXPECT_EQ(t.rows[i].verdict, PaperVerdict::agrees) << t.rows[i].label;
}

TEST(PaperTables, ProbabilityVectorsTable3CalculatedAgreesButForThreeMisprints) {
  const PaperTable t = table("probability-vectors-table-3");
  ASSERT_EQ(t.rows.size(), 90u);
  std::size_t agree = 0, misprints = 0;
  for (std::size_t i = 0; i < t.rows.size(); i += 3) {
    agree += t.rows[i].verdict == PaperVerdict::agrees;
    misprints += t.rows[i].verdict == PaperVerdict::misprint;
  }
  EXPECT_EQ(agree, 27u) << deviations(t);
  EXPECT_EQ(misprints, 3u);
}

TEST(PaperTables, DoNotDependOnTheNumberOfThreads) {
  for (const char* name : {"probability-vectors-table-2", "probability-vectors-figure-3"}) {
    const PaperTableEntry& entry = paper_tables().at(name);
    const PaperTable one = entry.compute({1, 1});
    for (unsigned jobs : {2u, 5u}) {
      const PaperTable many = entry.compute({1, jobs});
      ASSERT_EQ(many.rows.size(), one.rows.size());
      for (std::size_t i = 0; i < one.rows.size(); ++i) EXPECT_EQ(many.rows[i].ours, one.rows[i].ours);
    }
  }
}

TEST(PaperTables, FiguresHoldWhatTheTextSays) {
  const PaperTable two = table("probability-vectors-figure-2");
  EXPECT_EQ(two.count(PaperVerdict::agrees), two.rows.size()) << deviations(two);
  const PaperTable three = table("probability-vectors-figure-3");
  for (const PaperRow& row : three.rows)
    if (row.label.find("looping") != std::string::npos) {
      EXPECT_EQ(row.verdict, PaperVerdict::agrees) << row.label << ": " << row.ours;
    }
}

}  // namespace flitmend
