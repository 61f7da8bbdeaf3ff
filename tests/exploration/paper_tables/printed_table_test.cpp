// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/paper_table.h"

#include <gtest/gtest.h>

namespace flitmend {

TEST(PrintedTable, EveryPublishedTableHasOne) {
  for (const PaperTableEntry& entry : paper_tables().entries())
    EXPECT_FALSE(PrintedTable(std::string(entry.name).c_str()).begin().title.empty()) << entry.name;
}

TEST(PrintedTable, HasTheRowsByColumn) {
  const PrintedTable table("kns-table-1b");
  ASSERT_EQ(table.rows().size(), 15u);
  EXPECT_EQ(table.rows()[0]["one"], .18);
  EXPECT_EQ(table.rows()[0]["two"], 0);
  EXPECT_FALSE(table.rows()[2].contains("two")) << "the paper has a bound there";
}

TEST(PrintedTable, NotesAndReasonsContainWhatIsComputed) {
  const PrintedTable table("probability-vectors-table-2");
  EXPECT_EQ(table.begin({"so it is."}).notes.back(), "so it is.");
  const PaperRow swapped = table.judged(compare_digits("l = 4, h = 3, measured", .942, 3, .924), {".923"});
  EXPECT_EQ(swapped.verdict, PaperVerdict::misprint);
  EXPECT_NE(swapped.reason.find("give .923; over a single"), std::string::npos) << swapped.reason;
}

TEST(PrintedTable, OnlyAKnownMisprintIsOne) {
  const PrintedTable table("probability-vectors-table-1");
  EXPECT_EQ(table.meant("012 P_2"), .049);
  EXPECT_FALSE(table.meant("012 P_1"));
  EXPECT_EQ(table.judged(compare_digits("012 P_2", .49, 3, .0486)).verdict, PaperVerdict::misprint);
  EXPECT_EQ(table.judged(compare_digits("012 P_2", .49, 3, .2)).verdict, PaperVerdict::deviates);
  EXPECT_EQ(table.judged(compare_digits("012 P_1", .49, 3, .049)).verdict, PaperVerdict::deviates);
}

}  // namespace flitmend
