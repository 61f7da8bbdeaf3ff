// SPDX-License-Identifier: Apache-2.0
#include "exploration/paper_tables/sampled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/confidence.h"
#include "exploration/paper_tables/tables.h"

namespace flitmend {
namespace {

/// Fault sets with a mean of their own each, normal around 5 with deviation `between`, and pairs around it.
std::vector<FaultSetSums> drawn(unsigned sets, unsigned pairs, double between, double within,
                                std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<FaultSetSums> sums(sets);
  for (FaultSetSums& sum : sums) {
    const double mean = 5 + between * normal(random);
    for (unsigned i = 0; i < pairs; ++i) {
      const double a = mean + within * normal(random);
      sum.above += a;
      sum.squares += a * a;
      sum.below += 1;
    }
  }
  return sums;
}

PaperRow row_of(const PaperTable& table, const std::string& label) {
  for (const PaperRow& row : table.rows)
    if (row.label == label) return row;
  ADD_FAILURE() << "no row " << label;
  return {};
}

}  // namespace

// Two fault sets, 3 of 10 and 5 of 10: r = .4, error² = 2·(1 + 1)/20²; Σ o² = 2, Q = 20·.4·.6 = 4.8, so that
// nothing is left between the sets.
TEST(SampledMean, IsARatioWithItsError) {
  const SampledMean mean = sampled_mean({{3, 10, 3}, {5, 10, 5}});
  EXPECT_DOUBLE_EQ(mean.value, .4);
  EXPECT_DOUBLE_EQ(mean.error, std::sqrt(4.0) / 20);
  EXPECT_EQ(mean.between, 0);
  EXPECT_DOUBLE_EQ(mean.within, std::sqrt(.24));
  EXPECT_EQ(mean.pairs, 20);
  EXPECT_EQ(mean.by_set, (std::vector<double>{.3, .5}));
  EXPECT_TRUE(std::isnan(sampled_mean({{0, 0, 0}, {0, 0, 0}}).value));
}

// None of 10 and all of 10: Σ o² = 50, Q = 5, τ² = 45 / (200 − 20).
TEST(SampledMean, SeparatesTheDeviationBetweenFaultSets) {
  const SampledMean apart = sampled_mean({{0, 10, 0}, {10, 10, 10}});
  EXPECT_DOUBLE_EQ(apart.between, .5);
  EXPECT_NEAR(apart.within, 0, 1e-12);

  std::mt19937_64 random(1);
  for (const auto& [between, within] : {std::pair{.2, 1.}, {.05, .7}, {.3, .1}}) {
    const SampledMean mean = sampled_mean(drawn(4000, 50, between, within, random));
    EXPECT_NEAR(mean.between, between, .08 * between + .01);
    EXPECT_NEAR(mean.within, within, .02 * within);
  }
}

TEST(SampledMean, AgreesWithinTheErrorsOfBothSamplesAndTheRounding) {
  SampledMean ours;
  ours.value = .5;
  ours.error = .01;
  ours.between = .02;
  ours.within = .3;
  const PrintedSample sample{.fault_sets = 4, .pairs = 1000};
  const auto row = [&](double printed) { return MeasuredRow{"row", printed, ours, .1}; };
  // Two rows that vary and one that cannot: each is judged at 97.5 %.
  SampledMean one;
  one.value = 1;
  const MeasuredRow certain{"certain", 1, one, 1};
  const double reach = normal_quantile(.975) * std::sqrt(1e-4 + 1e-4 + 9e-4) + .0005;
  const auto judged = compare_sampled({row(.5 + .999 * reach), row(.5 - 1.001 * reach), certain}, 3, sample);
  EXPECT_EQ(judged[0].verdict, PaperVerdict::agrees);
  EXPECT_NEAR(judged[0].tolerance, reach, 1e-12);
  EXPECT_EQ(judged[1].verdict, PaperVerdict::deviates);
  EXPECT_EQ(judged[2].verdict, PaperVerdict::agrees);
  EXPECT_DOUBLE_EQ(judged[2].tolerance, .0005);
  const SampledMean none = sampled_mean({{0, 0, 0}, {0, 0, 0}});
  EXPECT_EQ(compare_sampled({{"none", .5, none, 0}}, 3, sample)[0].verdict, PaperVerdict::deviates);
}

// The tolerance is right: samples over two fault sets agree in all rows in 95 % of the cases.
TEST(SampledMean, ToleranceHoldsForASampleOfTwoFaultSets) {
  std::mt19937_64 random(7);
  constexpr unsigned kRows = 5, kTables = 400;
  std::vector<MeasuredRow> rows(kRows);
  for (MeasuredRow& row : rows) row.ours = sampled_mean(drawn(400, 200, .1, .5, random));
  unsigned all_agree = 0;
  for (unsigned t = 0; t < kTables; ++t) {
    for (MeasuredRow& row : rows) row.printed = sampled_mean(drawn(2, 200, .1, .5, random)).value;
    bool agree = true;
    for (const PaperRow& row : compare_sampled(rows, 6, {.fault_sets = 2, .pairs = 400}))
      agree &= row.verdict == PaperVerdict::agrees;
    all_agree += agree;
  }
  EXPECT_NEAR(all_agree, .95 * kTables, 3 * std::sqrt(.95 * .05 * kTables));
}

// Two rows whose fault sets move together, and one that moves by itself.
TEST(SampledMean, ExpectsARowFromTheOthers) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<FaultSetSums> a, b, c;
  for (int set = 0; set < 500; ++set) {
    const double x = normal(random), y = normal(random), noise = normal(random);
    a.push_back({x, 1, 0});
    b.push_back({y, 1, 0});
    c.push_back({2 * x - y + .1 * noise, 1, 0});
  }
  const std::vector<MeasuredRow> rows = {
      {"a", 1, sampled_mean(a), 1}, {"b", .5, sampled_mean(b), 1}, {"c", 0, sampled_mean(c), 1}};
  const ExpectedValue c_expected = expected_from_others(rows, 2);
  EXPECT_NEAR(c_expected.value, 1.5, .02);
  EXPECT_NEAR(c_expected.deviation, .1, .01);
}

TEST(SampledMean, CountsTheFaultSetsThatAllRowsAllow) {
  SampledMean ours;
  ours.between = 1;
  const double z = normal_quantile(.95);
  const auto judge = [&](double printed) {
    return [&ours, printed](const PrintedSample& sample) {
      return compare_sampled({{"row", printed, ours, 1}}, 3, sample);
    };
  };
  const PrintedSample two{.fault_sets = 2, .pairs = 1000};
  EXPECT_EQ(most_fault_sets(100, two, judge(z / std::sqrt(7.5))), 7u);
  EXPECT_EQ(most_fault_sets(100, two, judge(z / std::sqrt(1.5))), 0u);
  EXPECT_EQ(most_fault_sets(100, two, judge(0)), 100u);
}

// What docs/analysis.md says about the measured columns.
TEST(SampledMean, DecidesTheMeasuredColumns) {
  const PaperTable two = probability_vectors_table_2({});
  EXPECT_EQ(two.count(PaperVerdict::deviates), 0u);
  EXPECT_EQ(two.count(PaperVerdict::misprint), 1u);
  const PaperRow swapped = row_of(two, "l = 4, h = 3, measured");
  EXPECT_EQ(swapped.verdict, PaperVerdict::misprint);
  EXPECT_GT(std::abs(swapped.ours - .942), swapped.tolerance);

  const PaperTable three = probability_vectors_table_3({});
  EXPECT_EQ(three.count(PaperVerdict::deviates), 0u);
  EXPECT_EQ(three.count(PaperVerdict::not_reproduced), 2u);
  EXPECT_EQ(row_of(three, "k = 3, l = 3, claim 2").verdict, PaperVerdict::not_reproduced);
  EXPECT_EQ(row_of(three, "k = 9, l = 9, measured").verdict, PaperVerdict::not_reproduced);
  for (const PaperRow& row : three.rows)
    EXPECT_TRUE(row.verdict != PaperVerdict::refuted || row.label.ends_with(", claim 2")) << row.label;
  // The shortest distances, of which the paper's own numbers deny the claim too.
  for (const char* denied :
       {"k = 3, l = 2, claim 2", "k = 5, l = 2, claim 2", "k = 7, l = 2, claim 2", "k = 9, l = 2, claim 2"})
    EXPECT_EQ(row_of(three, denied).verdict, PaperVerdict::refuted) << denied;
  EXPECT_EQ(row_of(three, "k = 9, l = 7, claim 2").verdict, PaperVerdict::agrees);
  for (const char* slip : {"k = 3, l = 3, measured", "k = 9, l = 5, measured", "k = 9, l = 10, measured"})
    EXPECT_EQ(row_of(three, slip).verdict, PaperVerdict::misprint) << slip;
  // Only the measured column of k = 7 is read for another number of faults.
  for (const PaperRow& row : three.rows)
    if (row.reason.find("not for 69 faulty nodes") != std::string::npos) {
      EXPECT_EQ(row.label.rfind("k = 7, ", 0), 0u) << row.label;
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
