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

/// The key of the axis along which curves run; empty: none.
std::string x_of(const CurveSet& set) {
  return set.x ? set.axes.at(*set.x).keys.at(0) : "";
}
std::vector<std::string> names_of(const CurveSet& set) {
  std::vector<std::string> names;
  for (const CurveAxis& axis : set.axes) names.push_back(axis.name);
  return names;
}

TEST(SweepCurves, SeedsAreAveragedWithStudentsT) {
  std::vector<CurveRun> runs;
  for (const double x : {7., 8., 9.})
    runs.push_back(
        run({{"traffic.load", 0.1}, {"simulation.seed", x}}, {{"m", x}, {"latency.total.ci95", 1}}));
  runs.push_back(run({{"traffic.load", 0.2}, {"simulation.seed", 1}},
                     {{"latency.total.mean", 30}, {"latency.total.ci95", 1.5}, {"m", 4}}));
  const CurveSet set = curves_of(runs);
  EXPECT_EQ(x_of(set), "traffic.load");
  ASSERT_EQ(set.axes.size(), 1u) << "the seed is none";
  ASSERT_EQ(set.marks.size(), 2u);
  const CurveMark& three = set.marks[0];
  EXPECT_EQ(three.runs, 3u);
  EXPECT_DOUBLE_EQ(three.values.at("m").mean, 8);
  // t(0.975; 2) = 4.3027, s = 1, n = 3.
  EXPECT_NEAR(*three.values.at("m").half_width, 4.3027 / std::sqrt(3), 1e-4);
  const CurveMark& one = set.marks[1];
  EXPECT_EQ(one.values.at("latency.total.mean").half_width, 1.5) << "its own interval";
  EXPECT_EQ(one.values.at("m").half_width, std::nullopt);
}

TEST(SweepCurves, AMeanWithoutAnIntervalHasNoBand) {
  // A null of stats.json is not a metric.
  const CurveSet set =
      curves_of({run({{"traffic.load", 0.1}}, {{"latency.total.mean", 30}}),
                 run({{"traffic.load", 0.2}}, {{"latency.total.mean", 40}, {"latency.total.ci95", 2}})});
  ASSERT_EQ(set.marks.size(), 2u);
  EXPECT_EQ(set.marks[0].values.at("latency.total.mean").half_width, std::nullopt);
  EXPECT_EQ(set.marks[1].values.at("latency.total.mean").half_width, 2);
}

TEST(SweepCurves, ManySeedsTooAreAveragedWithStudentsT) {
  std::vector<CurveRun> runs;
  for (int i = 0; i < 100; ++i)
    runs.push_back(run({{"traffic.load", 0.1}, {"simulation.seed", i}}, {{"m", i % 2}}));
  runs.push_back(run({{"traffic.load", 0.3}}, {{"m", 1}}));
  const CurveSet set = curves_of(runs);
  // t(0.975; 99) = 1.9842, s² = 25/99.
  EXPECT_NEAR(*set.marks[0].values.at("m").half_width, 1.9842 * std::sqrt(25. / 99 / 100), 1e-4);
}

TEST(SweepCurves, AxesThatDifferTellTheMarksApart) {
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
  EXPECT_EQ(names_of(set), (std::vector<std::string>{"virtual_channels", "load", "algorithm"}))
      << "the pattern is always the same";
  EXPECT_EQ(x_of(set), "traffic.load");
  EXPECT_EQ(set.axes[0].values, (std::vector<std::string>{"4", "2"}));
  EXPECT_EQ(set.axes[0].numbers, (std::vector<std::optional<double>>{4, 2}));
  EXPECT_EQ(set.axes[2].values, (std::vector<std::string>{"duato", "west-first"}));
  EXPECT_TRUE(set.axes[2].numbers.empty());
  ASSERT_EQ(set.marks.size(), 8u);
  EXPECT_EQ(set.marks[3].at, (std::vector<std::size_t>{1, 0, 1}));
  EXPECT_DOUBLE_EQ(set.marks[3].values.at("m").mean, 0.6);
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
  EXPECT_EQ(x_of(curves_of(runs)), "router.input_buffer");
  EXPECT_EQ(x_of(curves_of({})), "");
  EXPECT_EQ(x_of(curves_of({run({{"traffic.load", 0.1}}, {{"m", 1}})})), "") << "one load is not a curve";
  EXPECT_EQ(x_of(curves_of({run({{"a.b", "x"}}, {}), run({{"a.b", "y"}}, {})})), "");
  EXPECT_EQ(x_of(curves_of({run({{"simulation.seed", 1}}, {}), run({{"simulation.seed", 2}}, {})})), "");
}

// Keys that change together are one axis, which has a name and no numbers: not even loads.
TEST(SweepCurves, CurvesNeverRunAlongZippedKeys) {
  std::vector<CurveRun> runs;
  for (const int latency : {1, 2})
    for (const int size : {4, 8})
      runs.push_back(run({{"traffic.load", size / 10.},
                          {"network.size", {size, size}},
                          {"network.topology", "mesh"},
                          {"link.latency", latency}},
                         {}));
  const CurveSet set =
      curves_of(runs, {{"traffic.load", "network.size", "network.topology"}, {"link.latency"}});
  EXPECT_EQ(x_of(set), "link.latency");
  EXPECT_EQ(names_of(set), (std::vector<std::string>{"load, size", "latency"})) << "of the keys that differ";
  EXPECT_EQ(set.axes[0].values, (std::vector<std::string>{"0.4, [4, 4]", "0.8, [8, 8]"}));
  EXPECT_TRUE(set.axes[0].numbers.empty());
  runs.resize(2);
  EXPECT_EQ(x_of(curves_of(runs, {{"traffic.load", "network.size", "network.topology"}, {"link.latency"}})),
            "");
}

TEST(SweepCurves, NetworksAreNamedAsInTheFile) {
  EXPECT_EQ(axis_value_text({{"topology", "mesh"}, {"size", {8, 8}}}), "{topology: mesh, size: [8, 8]}");
  EXPECT_EQ(axis_value_text({{"topology", "file"}, {"graph", "networks/a.graphml"}}),
            "{topology: file, graph: networks/a.graphml}");
  EXPECT_EQ(axis_value_text("duato"), "duato");
  EXPECT_EQ(axis_value_text(0.25), "0.25");
}

TEST(SweepCurves, RunsWithoutAKeyStandApart) {
  const CurveSet set =
      curves_of({run({{"traffic.load", 0.1}}, {}), run({{"traffic.load", 0.2}, {"a.b", 1}}, {}),
                 run({{"traffic.load", 0.3}, {"a.b", 2}}, {}), run({{"a.b", 2}}, {})});
  EXPECT_EQ(x_of(set), "traffic.load");
  EXPECT_EQ(set.axes[0].values, (std::vector<std::string>{"0.1", "0.2", "0.3", "–"}));
  EXPECT_EQ(set.axes[0].numbers.back(), std::nullopt);
  EXPECT_EQ(set.axes[1].values, (std::vector<std::string>{"–", "1", "2"}));
}

TEST(SweepCurves, KeysAreShortWhereThatIsClear) {
  EXPECT_EQ(short_keys({"router.pipeline.routing", "traffic.load", "simulation.load", "seed"}),
            (std::vector<std::string>{"routing", "traffic.load", "simulation.load", "seed"}));
}

}  // namespace
}  // namespace flitmend
