// SPDX-License-Identifier: Apache-2.0
// Curves of a sweep: which runs are averaged, and the interval of the mean.
#include "exploration/report/sweep_curves.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flitmend {
namespace {

CurveRun run(nlohmann::ordered_json axes, std::map<std::string, double> metrics) {
  return {std::move(axes), std::move(metrics)};
}

TEST(SweepCurves, SeedsAreAveragedWithStudentsT) {
  std::vector<CurveRun> runs;
  for (const double x : {7., 8., 9.})
    runs.push_back(
        run({{"traffic.load", 0.1}, {"simulation.seed", x}}, {{"m", x}, {"latency.total.ci95", 1}}));
  runs.push_back(run({{"traffic.load", 0.2}, {"simulation.seed", 1}},
                     {{"latency.total.mean", 30}, {"latency.total.ci95", 1.5}, {"m", 4}}));
  const CurveSet set = curves_of(runs);
  EXPECT_EQ(set.x, "traffic.load");
  EXPECT_TRUE(set.series_keys.empty());
  ASSERT_EQ(set.curves.size(), 1u);
  EXPECT_EQ(set.curves[0].name, "");
  ASSERT_EQ(set.curves[0].marks.size(), 2u);
  const CurveMark& three = set.curves[0].marks[0];
  EXPECT_EQ(three.runs, 3u);
  EXPECT_DOUBLE_EQ(three.values.at("m").mean, 8);
  // t(0.975; 2) = 4.3027, s = 1, n = 3.
  EXPECT_NEAR(*three.values.at("m").half_width, 4.3027 / std::sqrt(3), 1e-4);
  const CurveMark& one = set.curves[0].marks[1];
  EXPECT_EQ(one.values.at("latency.total.mean").half_width, 1.5) << "its own interval";
  EXPECT_EQ(one.values.at("m").half_width, std::nullopt);
}

TEST(SweepCurves, AMeanWithoutAnIntervalHasNoBand) {
  // A null of stats.json is no metric.
  const CurveSet set =
      curves_of({run({{"traffic.load", 0.1}}, {{"latency.total.mean", 30}}),
                 run({{"traffic.load", 0.2}}, {{"latency.total.mean", 40}, {"latency.total.ci95", 2}})});
  ASSERT_EQ(set.curves.at(0).marks.size(), 2u);
  EXPECT_EQ(set.curves[0].marks[0].values.at("latency.total.mean").half_width, std::nullopt);
  EXPECT_EQ(set.curves[0].marks[1].values.at("latency.total.mean").half_width, 2);
}

TEST(SweepCurves, ReferencesAreCurvesOfTheirOwn) {
  CurveSet set = curves_of({run({{"traffic.load", 0.1}}, {{"latency.total.mean", 30}}),
                            run({{"traffic.load", 0.2}}, {{"latency.total.mean", 40}})});
  add_references(set, {{"model", "traffic.load", "latency.total.mean", {{0.1, 31}, {0.15, 35}}},
                       {"of something else", "link.latency", "latency.total.mean", {{1, 31}}}});
  ASSERT_EQ(set.curves.size(), 2u);
  EXPECT_EQ(set.curves[1].name, "model");
  ASSERT_EQ(set.curves[1].marks.size(), 2u);
  EXPECT_EQ(set.curves[1].marks[1].x, 0.15);
  EXPECT_EQ(set.curves[1].marks[1].values.at("latency.total.mean").mean, 35);
  EXPECT_EQ(set.curves[1].marks[1].values.at("latency.total.mean").half_width, std::nullopt);
}

TEST(SweepCurves, ManySeedsTooAreAveragedWithStudentsT) {
  std::vector<CurveRun> runs;
  for (int i = 0; i < 100; ++i)
    runs.push_back(run({{"traffic.load", 0.1}, {"simulation.seed", i}}, {{"m", i % 2}}));
  runs.push_back(run({{"traffic.load", 0.3}}, {{"m", 1}}));
  const CurveSet set = curves_of(runs);
  // t(0.975; 99) = 1.9842, s² = 25/99.
  EXPECT_NEAR(*set.curves[0].marks[0].values.at("m").half_width, 1.9842 * std::sqrt(25. / 99 / 100), 1e-4);
}

TEST(SweepCurves, OtherAxesMakeTheSeries) {
  std::vector<CurveRun> runs;
  for (const double load : {0.3, 0.1})
    for (const char* algorithm : {"duato", "west-first"})
      for (const int channels : {4, 2})
        runs.push_back(run({{"router.virtual_channels", channels},
                            {"traffic.load", load},
                            {"routing.algorithm", algorithm},
                            {"traffic.pattern", "uniform"}},
                           {{"m", load * channels}}));
  const CurveSet set = curves_of(runs);
  EXPECT_EQ(set.series_keys, (std::vector<std::string>{"router.virtual_channels", "routing.algorithm"}));
  ASSERT_EQ(set.curves.size(), 4u);
  EXPECT_EQ(set.curves[0].name, "virtual_channels 4, algorithm duato");
  EXPECT_EQ(set.curves[3].name, "virtual_channels 2, algorithm west-first");
  EXPECT_EQ(set.curves[3].values, (std::vector<std::string>{"2", "west-first"}));
  EXPECT_DOUBLE_EQ(set.curves[0].marks[0].x, 0.1) << "ascending";
  EXPECT_DOUBLE_EQ(set.curves[0].marks[1].values.at("m").mean, 1.2);
}

TEST(SweepCurves, WithoutLoadsTheFirstNumbersMakeTheAxis) {
  const std::vector<CurveRun> runs = {run({{"traffic.load", 0.1},
                                           {"routing.algorithm", "a"},
                                           {"router.input_buffer", 4},
                                           {"link.latency", 1}},
                                          {}),
                                      run({{"traffic.load", 0.1},
                                           {"routing.algorithm", "b"},
                                           {"router.input_buffer", 8},
                                           {"link.latency", 2}},
                                          {})};
  const CurveSet set = curves_of(runs);
  EXPECT_EQ(set.x, "router.input_buffer");
  EXPECT_EQ(set.series_keys, (std::vector<std::string>{"routing.algorithm", "link.latency"}));

  EXPECT_EQ(curves_of({}).x, "");
  EXPECT_TRUE(curves_of({run({{"traffic.load", 0.1}}, {{"m", 1}})}).curves.empty()) << "one load is no curve";
  EXPECT_TRUE(curves_of({run({{"a.b", "x"}}, {}), run({{"a.b", "y"}}, {})}).curves.empty());
  EXPECT_TRUE(
      curves_of({run({{"simulation.seed", 1}}, {}), run({{"simulation.seed", 2}}, {})}).curves.empty());
}

TEST(SweepCurves, RunsWithoutAKeyStandApart) {
  const CurveSet set =
      curves_of({run({{"traffic.load", 0.1}}, {}), run({{"traffic.load", 0.2}, {"a.b", 1}}, {}),
                 run({{"traffic.load", 0.3}, {"a.b", 2}}, {}), run({{"a.b", 2}}, {})});
  ASSERT_EQ(set.curves.size(), 3u);
  EXPECT_EQ(set.curves[0].values, (std::vector<std::string>{"–"}));
}

TEST(SweepCurves, KeysAreShortWhereThatIsClear) {
  EXPECT_EQ(short_keys({"router.pipeline.routing", "traffic.load", "simulation.load", "seed"}),
            (std::vector<std::string>{"routing", "traffic.load", "simulation.load", "seed"}));
}

}  // namespace
}  // namespace flitmend
