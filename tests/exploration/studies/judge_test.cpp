// SPDX-License-Identifier: Apache-2.0
// Verdicts on made-up results whose intervals are known in closed form.
#include "exploration/studies/judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "exploration/paper_tables/paper_table.h"
#include "exploration/studies/study_file.h"
#include "exploration/sweeps/writer.h"
#include "support/files.h"
#include "testbench/statistics/mean_interval.h"

namespace flitmend {
namespace {

TEST(Interval, IsStudentsT) {
  // 1 … 5: mean 3, variance 2.5, t(4) = 2.776445.
  const Interval five = interval_95({1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(five.mean, 3);
  EXPECT_NEAR(five.half_width, 2.7764451051977944 * std::sqrt(2.5 / 5), 1e-12);
  // ±1: mean 0, variance 2, t(1) = 12.7062.
  EXPECT_NEAR(interval_95({-1, 1}).half_width, 12.706204736174705, 1e-9);
  EXPECT_EQ(interval_95({.1, .1, .1}).mean, .1);
  EXPECT_EQ(interval_95({.1, .1, .1}).half_width, 0);
}

TEST(Interval, OfManyValuesIsTheQuantilesOfTheDistribution) {
  // 0, 1, 0, 1, …: variance n/(4(n − 1)). t(99) = 1.984216952 and t(31) = 2.039513446 (published tables).
  const auto half = [](std::size_t n) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 2);
    return interval_95(values).half_width * 2 * std::sqrt(static_cast<double>(n - 1));
  };
  EXPECT_NEAR(half(100), 1.984216952, 3e-8);
  EXPECT_NEAR(half(32), 2.039513446, 1e-8);
  EXPECT_NEAR(half(34), 2.034515297, 3e-8);
}

/// A sweep of three curves at two loads, five seeds; its points are 0 … 29, the seed fastest.
class Judging : public testing::Test {
 protected:
  static constexpr const char* kSweep =
      "title: t\nsweeps:\n"
      "  a: {base: {network: {size: [4, 4]}}, axes: [{key: router.virtual_channels, values: [1, 2, 4]}, "
      "{key: "
      "traffic.load, values: [0.1, 0.2]}, {seeds: 5}]}\n"
      "  s: {base: {network: {size: [4, 4]}}, axes: [{key: router.virtual_channels, values: [1, 2]}, {seeds: "
      "5}, "
      "{key: traffic.load, until: saturation, from: 0.1, step: 0.1}]}\n"
      "statements: [{says: x, ";

  /// Values of hops.mean of one curve at one load.
  void set(int curve, int load, const std::vector<double>& values) {
    for (std::size_t seed = 0; seed < values.size(); ++seed) {
      PointRecord& p = points_[(curve * 2 + load) * 5 + static_cast<int>(seed)];
      p.metrics["hops.mean"] = values[seed];
    }
  }
  PointRecord& point(int id) { return points_[id]; }
  std::map<int, SaturationRecord> curves_;

  JudgedStatement judged(const std::string& keys) {
    const test::TemporaryFolder folder;
    const Study study = parse_study(
        kSweep + keys + "}]\n", "st.yaml", [](const std::string&) { return std::string(); }, false);
    std::vector<StudyResults> results;
    for (const char* name : {"a", "s"}) {
      const std::string path = folder / name;
      std::filesystem::create_directory(path);
      SweepWriter writer = SweepWriter::create(path, {}, {});
      if (std::string(name) == "a") {
        std::vector<SweepWriter::Finished> finished;
        for (auto& [id, p] : points_) {
          p.id = id;
          finished.push_back({p, {}});
        }
        writer.add(finished);
      } else {
        for (auto& [id, c] : curves_) {
          c.curve = id;
          writer.set_saturation(c);
        }
      }
      results.emplace_back(SweepReader(path));
    }
    return judge(study.statements.at(0), results, 1);
  }

  std::map<int, PointRecord> points_;
};

constexpr const char* kAt = "sweep: a, metric: hops.mean, where: {traffic.load: 0.1}, ";
const std::string kPair =
    std::string(kAt) + "below: [{router.virtual_channels: 1}, {router.virtual_channels: 2}]";

TEST_F(Judging, BelowIsJudgedOnPairedDifferences) {
  // The curves overlap widely, but the differences 1 … 5 are clear: −3 ± 1.963.
  set(0, 0, {10, 20, 30, 40, 50});
  set(1, 0, {11, 22, 33, 44, 55});
  JudgedStatement s = judged(kPair);
  EXPECT_EQ(s.verdict, Verdict::holds);
  EXPECT_EQ(s.says, "x");
  EXPECT_EQ(s.measured,
            "virtual_channels=1 < virtual_channels=2: 30 and 33, difference -3 ± 1.963 (wanted: below 0)");
  EXPECT_EQ(judged(kPair + ", tolerance: 1").verdict, Verdict::holds);
  set(0, 0, {11, 22, 33, 44, 55});
  set(1, 0, {10, 20, 30, 40, 50});
  EXPECT_EQ(judged(kPair).verdict, Verdict::fails);
  // 3 ± 1.963 is within a tolerance of 5, not within 1, and undecided for 2.
  EXPECT_EQ(judged(kPair + ", tolerance: 5").verdict, Verdict::holds);
  EXPECT_EQ(judged(kPair + ", tolerance: 1").verdict, Verdict::fails);
  EXPECT_EQ(judged(kPair + ", tolerance: 2").verdict, Verdict::undecided);
  // Ten per cent too high everywhere.
  EXPECT_EQ(judged(kPair + ", tolerance: 11 %").verdict, Verdict::holds);
  EXPECT_EQ(judged(kPair + ", tolerance: 9 %").verdict, Verdict::fails);
}

TEST_F(Judging, AnIntervalThatStraddlesIsUndecided) {
  set(0, 0, {1, 2, 3, 4, 5});
  set(1, 0, {3, 3, 3, 4.5, 4.5});  // differences −2, −1, 0, −.5, .5
  const JudgedStatement s = judged(kPair);
  EXPECT_EQ(s.verdict, Verdict::undecided);
  EXPECT_EQ(s.measured,
            "virtual_channels=1 < virtual_channels=2: 3 and 3.6, difference -0.6 ± 1.194 (wanted: below 0)");
}

TEST_F(Judging, EqualIsNotBelow) {
  set(0, 0, {1, 2, 3, 4, 5});
  set(1, 0, {1, 2, 3, 4, 5});
  EXPECT_EQ(judged(kPair).verdict, Verdict::fails);
  EXPECT_EQ(judged(kPair + ", tolerance: 0").verdict, Verdict::holds);
}

TEST_F(Judging, AgainstANumber) {
  set(0, 0, {1, 2, 3, 4, 5});
  const auto below = [&](const std::string& number) {
    return judged(std::string(kAt) + "below: [{router.virtual_channels: 1}, " + number + "]").verdict;
  };
  // 3 ± 1.963
  EXPECT_EQ(below("4.964"), Verdict::holds);
  EXPECT_EQ(below("4.963"), Verdict::undecided);
  EXPECT_EQ(below("1.036"), Verdict::fails);
  EXPECT_EQ(judged(std::string(kAt) + "above: [{router.virtual_channels: 1}, 1.036]").verdict,
            Verdict::holds);
}

TEST_F(Judging, ATieIsAnIntervalWithinTheBand) {
  set(0, 0, {99, 100, 101, 100, 100});
  set(1, 0, {100, 100, 100, 100, 100});
  const auto tie = [&](const std::string& within) {
    return judged(std::string(kAt) + "tie: {router.virtual_channels: [1, 2]}, within: " + within);
  };
  // Ratio 1 ± .00878.
  EXPECT_EQ(tie("0.9 %").verdict, Verdict::holds);
  EXPECT_EQ(tie("0.9 %").measured, "1 / 2: 100 and 100, ratio 1 ± 0.00878 (wanted: 0.991 to 1.009)");
  EXPECT_EQ(tie("0.8 %").verdict, Verdict::undecided);
  EXPECT_EQ(tie("0.9").verdict, Verdict::holds);
  EXPECT_EQ(tie("0.8").verdict, Verdict::undecided);
  set(0, 0, {109, 110, 111, 110, 110});
  EXPECT_EQ(tie("3 %").verdict, Verdict::fails);
}

TEST_F(Judging, RatiosAndBands) {
  set(0, 0, {20, 22, 24, 26, 28});
  set(1, 0, {10, 11, 12, 13, 14});
  const std::string ratio =
      std::string(kAt) + "ratio: [{router.virtual_channels: 1}, {router.virtual_channels: 2}], ";
  EXPECT_EQ(judged(ratio + "at_most: 2").verdict, Verdict::holds);
  EXPECT_EQ(judged(ratio + "at_least: 2.01").verdict, Verdict::fails);
  EXPECT_EQ(judged(ratio + "near: 2, within: 0").verdict, Verdict::holds);
  const std::string value = std::string(kAt) + "value: {router.virtual_channels: 2}, ";
  // 12 ± 1.963
  EXPECT_EQ(judged(value + "near: 12, within: 20 %").verdict, Verdict::holds);
  EXPECT_EQ(judged(value + "near: 12, within: 10 %").verdict, Verdict::undecided);
  EXPECT_EQ(judged(value + "near: 20, within: 10 %").verdict, Verdict::fails);
  EXPECT_EQ(judged(value + "at_least: 10, at_most: 14").verdict, Verdict::holds);
  EXPECT_EQ(judged(value + "near: 12, within: 20 %").measured,
            "virtual_channels=2: 12 ± 1.963 (wanted: 9.6 to 14.4)");
  set(1, 0, {0, 0, 0, 0, 0});
  const JudgedStatement s = judged(ratio + "at_most: 2");
  EXPECT_EQ(s.verdict, Verdict::undecided);
  EXPECT_NE(s.measured.find("virtual_channels=2 is 0, so there is no ratio"), std::string::npos)
      << s.measured;
}

TEST_F(Judging, EveryPointCountsOrTheirAverageDoes) {
  const std::string ordered = "sweep: a, metric: hops.mean, ordered: {router.virtual_channels: [4, 2, 1]}";
  set(0, 0, {30, 31, 32, 33, 34});
  set(1, 0, {20, 21, 22, 23, 24});
  set(2, 0, {10, 11, 12, 13, 14});
  set(0, 1, {60, 61, 62, 63, 64});
  set(1, 1, {40, 41, 42, 43, 44});
  set(2, 1, {41, 42, 43, 44, 45});  // in the wrong order by 1
  const JudgedStatement each = judged(ordered);
  EXPECT_EQ(each.verdict, Verdict::fails);
  EXPECT_EQ(each.measured,
            "3 of 4 comparisons hold, 1 fails; the worst: traffic.load=0.2, 4 < 2: 43 and 42, difference 1 ± "
            "0 (wanted: "
            "below 0)");
  ASSERT_EQ(each.parts.size(), 4u);
  EXPECT_EQ(each.parts[0].verdict, Verdict::holds);
  EXPECT_EQ(each.parts[2].verdict, Verdict::fails);
  // On average 27.5 < 32 < 47.
  const JudgedStatement average = judged(ordered + ", average: traffic.load");
  EXPECT_EQ(average.verdict, Verdict::holds);
  EXPECT_EQ(
      average.measured,
      "2 of 2 comparisons hold; the closest: 4 < 2: 27.5 and 32, difference -4.5 ± 0 (wanted: below 0)");
}

TEST_F(Judging, WhatDidNotEndWellFailsByName) {
  set(0, 0, {1, 2, 3, 4, 5});
  set(1, 0, {11, 12, 13, 14, 15});
  ASSERT_EQ(judged(kPair).verdict, Verdict::holds);
  PointRecord& crashed = point(2);
  crashed.status = PointStatus::crashed;
  crashed.message = "its process was killed by signal 11\nand more";
  crashed.axes = {{"router.virtual_channels", 1}, {"simulation.seed", 3}};
  point(11).status = PointStatus::deadlock;
  point(11).message = "a deadlock";
  const JudgedStatement s = judged(kPair);
  EXPECT_EQ(s.verdict, Verdict::fails);
  EXPECT_EQ(s.measured,
            "virtual_channels=1 < virtual_channels=2: point 2 (router.virtual_channels=1, "
            "simulation.seed=3): crashed: "
            "its process was killed by signal 11; point 11: deadlock: a deadlock (wanted: below 0)");
  // Statements about other points are not affected.
  set(2, 0, {1, 1, 1, 1, 1});
  EXPECT_EQ(judged(std::string(kAt) + "value: {router.virtual_channels: 4}, at_most: 1").verdict,
            Verdict::holds);
}

TEST_F(Judging, ARefutedClaimMustFailByWhatWasMeasured) {
  const std::string refuted = kPair + ", refuted_by: \"counted, see there\"";
  set(0, 0, {11, 22, 33, 44, 55});
  set(1, 0, {10, 20, 30, 40, 50});
  const JudgedStatement fails = judged(kPair);
  EXPECT_EQ(fails.verdict, Verdict::fails);
  EXPECT_EQ(fails.refuted_by, "");
  JudgedStatement s = judged(refuted);
  EXPECT_EQ(s.verdict, Verdict::refuted);
  EXPECT_EQ(s.refuted_by, "counted, see there");
  EXPECT_EQ(s.measured, fails.measured);
  EXPECT_EQ(to_word(s.verdict), "refuted");
  // Undecided.
  set(0, 0, {11, 19, 31, 39, 51});
  s = judged(refuted);
  EXPECT_EQ(s.verdict, Verdict::undecided);
  EXPECT_EQ(s.refuted_by, "");
  // It holds after all, so the study is wrong.
  set(0, 0, {9, 18, 27, 36, 45});
  EXPECT_EQ(judged(kPair).verdict, Verdict::holds);
  s = judged(refuted);
  EXPECT_EQ(s.verdict, Verdict::fails);
  EXPECT_EQ(s.measured.rfind("holds, although refuted_by says that it does not; remove refuted_by: ", 0), 0u)
      << s.measured;
  EXPECT_EQ(s.refuted_by, "");
  // A run that crashed proves nothing.
  set(0, 0, {11, 22, 33, 44, 55});
  point(2).status = PointStatus::crashed;
  point(2).metrics.clear();
  s = judged(refuted);
  EXPECT_EQ(s.verdict, Verdict::fails);
  EXPECT_EQ(s.refuted_by, "");
}

TEST_F(Judging, WhatIsMissingIsUndecided) {
  set(0, 0, {1, 2, 3, 4});
  set(1, 0, {11, 12, 13, 14, 15});
  JudgedStatement s = judged(kPair);
  EXPECT_EQ(s.verdict, Verdict::undecided);
  EXPECT_NE(s.measured.find("point 4: not run yet"), std::string::npos) << s.measured;
  points_[4].metrics["latency.total.mean"] = 3;
  s = judged(kPair);
  EXPECT_EQ(s.verdict, Verdict::undecided);
  EXPECT_NE(s.measured.find("point 4: defines no hops.mean"), std::string::npos) << s.measured;
}

TEST_F(Judging, SaturationPoints) {
  for (int seed = 0; seed < 5; ++seed) {
    curves_[seed].load = .2 + .001 * seed;
    curves_[seed].throughput = .19;
    curves_[5 + seed].load = .3 + .001 * seed;
    curves_[5 + seed].throughput = .29;
  }
  const std::string pair = "sweep: s, metric: saturation.load, below: {router.virtual_channels: [1, 2]}";
  EXPECT_EQ(judged(pair).verdict, Verdict::holds);
  EXPECT_EQ(judged("sweep: s, metric: saturation.throughput, value: {router.virtual_channels: 1}, near: 0.2, "
                   "within: 5 "
                   "%")
                .verdict,
            Verdict::holds);
  curves_[7].status = SaturationStatus::not_reached;
  curves_[7].load = std::nullopt;
  curves_[7].message = "not saturated at load 1";
  const JudgedStatement s = judged(pair);
  EXPECT_EQ(s.verdict, Verdict::fails);
  EXPECT_NE(s.measured.find("curve 7: not-reached: not saturated at load 1"), std::string::npos)
      << s.measured;
}

TEST(PaperStatement, CountsMisprintsAndRefutedRowsAndFailsOnlyIfOneDeviates) {
  StudyStatement statement;
  statement.says = "Table 1";
  PaperTable table;
  table.rows = {compare_digits("a", .49, 3, .0486).or_misprint_of(.049, "a zero is missing"),
                compare_digits("b", 16, 0, 39.8).or_refuted_by(40.1, 1, "16,588 samples give 40.1"),
                compare_digits("c", 80, 0, 88.3).or_refuted_by(88.5, 1, "as do they"),
                compare_digits("d", 1, 0, 1)};
  const JudgedStatement holds = judge_paper_table(statement, table);
  EXPECT_EQ(holds.verdict, Verdict::holds);
  EXPECT_EQ(holds.measured.rfind("4 of 4 comparisons hold", 0), 0u) << holds.measured;
  EXPECT_TRUE(holds.measured.ends_with("; 1 misprint; 2 refuted")) << holds.measured;
  EXPECT_EQ(holds.parts[1].measured, "39.800, the print is refuted (16,588 samples give 40.1)");

  // The witness does not agree with ours.
  table.rows[1] = compare_digits("b", 16, 0, 39.8).or_refuted_by(42.1, 1, "16,588 samples give 42.1");
  const JudgedStatement fails = judge_paper_table(statement, table);
  EXPECT_EQ(fails.verdict, Verdict::fails);
  EXPECT_EQ(fails.parts[1].verdict, Verdict::fails);
  EXPECT_TRUE(fails.measured.ends_with("; 1 misprint; 1 refuted")) << fails.measured;
}

TEST_F(Judging, PublishedTablesAreJudgedRowByRow) {
  for (const char* name :
       {"fault-rings-table-2", "probability-vectors-table-1", "probability-vectors-table-3"}) {
    SCOPED_TRACE(name);
    const PaperTable table = paper_tables().at(name).compute({});
    const std::size_t deviate = table.count(PaperVerdict::deviates);
    const JudgedStatement s = judged(std::string("table: ") + name);
    EXPECT_EQ(s.verdict, deviate ? Verdict::fails : Verdict::holds);
    ASSERT_EQ(s.parts.size(), table.rows.size());
    for (std::size_t i = 0; i < s.parts.size(); ++i) {
      EXPECT_EQ(s.parts[i].at, table.rows[i].label);
      EXPECT_EQ(s.parts[i].verdict == Verdict::fails, table.rows[i].verdict == PaperVerdict::deviates);
    }
    const std::string counts = std::to_string(table.rows.size() - deviate) + " of " +
                               std::to_string(table.rows.size()) + " comparisons hold";
    EXPECT_EQ(s.measured.rfind(counts, 0), 0u) << s.measured;
    EXPECT_EQ(s.measured.find("misprint") != std::string::npos, table.count(PaperVerdict::misprint) > 0)
        << s.measured;
  }
}

}  // namespace
}  // namespace flitmend
