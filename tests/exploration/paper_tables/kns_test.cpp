// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

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

TEST(KnsPaperTables, Figure5RefutesTwoClaims) {
  EXPECT_EQ(exceptions(kns_figure_5({})),
            (Exceptions{{"f = 23, 2 inter., section 5.2", PaperVerdict::refuted},
                        {"3 % faulty links (f = 61), 2 inter., section 5.3", PaperVerdict::refuted}}));
}

// By brute force: whether two routers have a fault-free Hybrid-DOR path is a matrix of bits, and paths over
// two intermediate nodes are its third power. Nothing is shared with the classifier or the closed form.
TEST(KnsPaperTables, Figure5ByMatrices) {
  constexpr unsigned kK = 32, kNodes = kK * kK;
  using Matrix = std::vector<std::bitset<kNodes>>;
  const auto product = [](const Matrix& a, const Matrix& b) {
    Matrix c(kNodes);
    for (unsigned i = 0; i < kNodes; ++i)
      for (unsigned via = 0; via < kNodes; ++via)
        if (a[i][via]) c[i] |= b[via];
    return c;
  };
  std::mt19937_64 random(5);
  for (const auto& [faults, percent, combinations] : {std::tuple{23u, 88.3, 60u}, {61u, 39.8, 60u}}) {
    unsigned tolerated = 0;
    for (unsigned c = 0; c < combinations; ++c) {
      std::set<unsigned> dead;  // 2·router + dimension
      while (dead.size() < faults) dead.insert(static_cast<unsigned>(random() % (2 * kNodes)));
      const auto alive = [&](unsigned x, unsigned y, unsigned dimension) {
        return !dead.contains(2 * (x + kK * y) + dimension);
      };
      Matrix direct(kNodes);
      for (unsigned s = 0; s < kNodes; ++s)
        for (unsigned d = 0; d < kNodes; ++d) {
          const unsigned sx = s % kK, sy = s / kK, dx = d % kK, dy = d / kK;
          const bool first = sx == dx || (alive(sx, sy, 0) && alive(dx, sy, 0));
          const bool second = sy == dy || (alive(dx, sy, 1) && alive(dx, dy, 1));
          direct[s][d] = first && second;
        }
      const Matrix third = product(product(direct, direct), direct);
      tolerated += std::all_of(third.begin(), third.end(), [](const auto& row) { return row.all(); });
    }
    const double error = std::sqrt(percent * (100 - percent) / combinations);
    EXPECT_NEAR(100. * tolerated / combinations, percent, 3 * error) << faults;
    // The printed 80 and 16 are further away than that only where 60 combinations can tell.
    if (faults == 61) {
      EXPECT_GT(100. * tolerated / combinations - 16, 2 * error);
    }
  }
}

TEST(KnsPaperTables, Figure6AgreesWithinTheSamplingErrorOfThePaper) {
  EXPECT_EQ(exceptions(kns_figure_6({})), Exceptions{});
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
