// Every published table that this program computes exactly, judged row by row.
#include <gtest/gtest.h>

#include "analysis/paper_tables/paper_table.h"

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

}  // namespace flitmend
