// SPDX-License-Identifier: Apache-2.0
#include "analysis/paper_tables/tables.h"

#include <gtest/gtest.h>

#include <map>

namespace flitmend {
namespace {

/// Rows that do not agree, by label.
std::map<std::string, PaperVerdict> exceptions(const PaperTable& table) {
  std::map<std::string, PaperVerdict> rows;
  for (const PaperRow& row : table.rows)
    if (row.verdict != PaperVerdict::agrees) {
      rows[row.label] = row.verdict;
      EXPECT_FALSE(row.reason.empty()) << row.label;
    }
  return rows;
}

std::vector<double> values(const PaperTable& table) {
  std::vector<double> ours;
  for (const PaperRow& row : table.rows) ours.push_back(row.ours);
  return ours;
}

using Exceptions = std::map<std::string, PaperVerdict>;

}  // namespace

TEST(KnsPaperTables, Table1aAgreesButForAMisprint) {
  const PaperTable table = kns_table_1a({});
  EXPECT_EQ(table.rows.size(), 30u);
  EXPECT_EQ(exceptions(table), (Exceptions{{"f = 4, 2 inter.", PaperVerdict::misprint}}));
}

TEST(KnsPaperTables, Table1bAgrees) {
  const PaperTable table = kns_table_1b({});
  EXPECT_EQ(table.rows.size(), 30u);
  EXPECT_EQ(exceptions(table), Exceptions{});
}

TEST(KnsPaperTables, Figure5NamesTheClaimsThatDoNotReproduce) {
  EXPECT_EQ(exceptions(kns_figure_5({})),
            (Exceptions{{"f = 23, 2 inter., section 5.2", PaperVerdict::deviates},
                        {"3 % faulty links (f = 61), 2 inter., section 5.3", PaperVerdict::deviates}}));
}

TEST(KnsPaperTables, Figure6NamesTheClaimThatDoesNotReproduce) {
  EXPECT_EQ(exceptions(kns_figure_6({})),
            (Exceptions{{"f = 10, 1 inter., section 5.2", PaperVerdict::deviates}}));
}

TEST(KnsPaperTables, LemmasHoldButForAMisprint) {
  EXPECT_EQ(exceptions(kns_lemmas({})), (Exceptions{{"Lemma 2, KNS(3, 2)", PaperVerdict::misprint},
                                                    {"Lemma 2, KNS(4, 2)", PaperVerdict::misprint}}));
}

TEST(KnsPaperTables, TheNumberOfThreadsChangesNothing) {
  const auto one = values(kns_table_1a({3, 1}));
  EXPECT_EQ(values(kns_table_1a({3, 2})), one);
  EXPECT_EQ(values(kns_table_1a({3, 5})), one);
  EXPECT_NE(values(kns_table_1a({4, 5})), one);
}

}  // namespace flitmend
