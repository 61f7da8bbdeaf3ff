// SPDX-License-Identifier: Apache-2.0
#include "analysis/paper_tables/sampled.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/paper_tables/tables.h"

namespace flitmend {

// Two batches, 3 of 10 and 5 of 10: r = .4, error² = 2·(1 + 1)/20².
TEST(SampledMean, IsARatioWithItsError) {
  const SampledMean mean = sampled_mean({{3, 10}, {5, 10}});
  EXPECT_DOUBLE_EQ(mean.value, .4);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt(4.0) / 20);
  EXPECT_TRUE(std::isnan(sampled_mean({{0, 0}, {0, 0}}).value));
}

TEST(SampledMean, AgreesWithinTheErrorOfTwoSamplesAndTheRounding) {
  const SampledMean ours{.5, .01};
  const double reach = 1.959963984540054 * std::sqrt(2.0) * .01 + .0005;
  const PaperRow near = compare_sampled("near", .5 + .999 * reach, 3, ours);
  EXPECT_EQ(near.verdict, PaperVerdict::agrees);
  EXPECT_NEAR(near.tolerance, reach, 1e-15);
  EXPECT_EQ(compare_sampled("far", .5 - 1.001 * reach, 3, ours).verdict, PaperVerdict::deviates);
  EXPECT_EQ(compare_sampled("none", .5, 3, sampled_mean({{0, 0}, {0, 0}})).verdict, PaperVerdict::deviates);
}

// Another seed is another sample of the same size. Almost all rows must agree with it, so the tolerance is
// right.
TEST(SampledMean, ToleranceHoldsBetweenTwoSamplesOfOurs) {
  unsigned within = 0, rows = 0;
  for (std::uint64_t seed = 2; seed <= 5; ++seed)
    for (const auto table : {probability_vectors_table_2, probability_vectors_table_3}) {
      const PaperTable one = table({1, 0}), other = table({seed, 0});
      for (std::size_t i = 1; i < one.rows.size(); i += 2) {
        within += std::abs(one.rows[i].ours - other.rows[i].ours) <= one.rows[i].tolerance;
        ++rows;
      }
    }
  EXPECT_GT(within, .9 * rows);
}

// What docs/analysis.md says about the measured columns.
TEST(SampledMean, JudgesTheMeasuredColumns) {
  const auto deviating = [](const PaperTable& table) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < table.rows.size(); i += 2)
      count += table.rows[i].verdict == PaperVerdict::deviates;
    return count;
  };
  EXPECT_EQ(deviating(probability_vectors_table_2({})), 7u);
  const PaperTable three = probability_vectors_table_3({});
  EXPECT_EQ(deviating(three), 21u);
  for (const PaperRow& row : three.rows)
    if (row.label == "k = 9, l = 10, measured") {
      EXPECT_EQ(row.verdict, PaperVerdict::deviates);
      EXPECT_NE(row.reason.find("10.954"), std::string::npos);
      EXPECT_LT(std::abs(row.ours - 10.954), row.tolerance);
    }
}

// The measured column of k = 7 is that of 80 faulty nodes, not of the 69 of the calculated column.
TEST(SampledMean, TableThreeAtSevenFitsEightyFaults) {
  const double printed[] = {1, 2.317, 3.478, 4.568, 5.554, 6.660, 7.680, 8.787, 9.792};
  const auto worst = [&](std::uint32_t faults) {
    PvExperiment e;
    e.k = 7;
    e.faulty_nodes = faults;
    e.fault_sets = 400;
    std::vector<PvCounts> by_lee(10);
    for (const PvDistanceCounts& d : probability_routing_statistics(e, 1).by_distance)
      by_lee[d.lee] += d.counts;
    double most = 0;
    for (std::size_t l = 1; l <= 9; ++l)
      most = std::max(most, std::abs(by_lee[l].mean_hops().value() - printed[l - 1]));
    return most;
  };
  EXPECT_LT(worst(80), .07);
  EXPECT_GT(worst(69), .18);
}

}  // namespace flitmend
