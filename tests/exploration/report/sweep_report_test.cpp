// SPDX-License-Identifier: Apache-2.0
// Reports of sweeps and studies.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/digest.h"
#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "support/reports.h"
#include "support/sweep_folder.h"

namespace flitmend {
namespace {

using test::contains;
using test::error_of;
using test::figures_of;
using test::report;
using test::small_results;
using test::TemporaryFolder;
using test::write_file;

TEST(SweepReport, HasCurvesWithBands) {
  const TemporaryFolder folder;
  test::write_sweep(folder / "");
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<h1>Sweep vc</h1>"));
  EXPECT_TRUE(contains(html, "30 points; axes: load (5) × channels (2) × seed (3)"));
  EXPECT_FALSE(contains(html, "class=\"warning\""));
  EXPECT_FALSE(contains(html, "<h2>Statements</h2>"));
  const Json figures = figures_of(html);
  ASSERT_EQ(figures.size(), 3u);
  const Json& curves = figures[0]["data"]["curves"];
  ASSERT_EQ(curves["axes"].size(), 2u);
  EXPECT_EQ(curves["x"], 0);
  EXPECT_EQ(curves["axes"][0]["title"], "load (flits per node per cycle)");
  EXPECT_EQ(curves["axes"][0]["numbers"], Json::array({0.05, 0.15, 0.25, 0.35, 0.45}));
  EXPECT_EQ(curves["axes"][1]["name"], "virtual_channels");
  EXPECT_EQ(curves["axes"][1]["values"], Json::array({"2", "4"}));
  EXPECT_EQ(curves["metrics"][1]["name"], "latency.total.mean");
  ASSERT_EQ(curves["rows"].size(), 10u);
  const Json& row = curves["rows"][2];
  EXPECT_EQ(row["at"], Json::array({2, 0}));
  EXPECT_EQ(row["runs"], 3);
  EXPECT_DOUBLE_EQ(row["values"][1][0].get<double>(), 40);
  EXPECT_NEAR(row["values"][1][1].get<double>(), 4.3027 / std::sqrt(3), 1e-4);
  EXPECT_TRUE(contains(html, "<td class=\"n\">40 ± 2.5</td>"));
}

SweepWriter::Finished point(std::int64_t id, double load) {
  SweepWriter::Finished f;
  f.point.id = id;
  f.point.axes = {{"traffic.load", load}};
  f.point.configuration = "network: {topology: mesh, size: [2]}\n";
  f.point.metrics = {{"latency.total.mean", 10 * load}};
  f.point.stats = to_json(small_results());
  return f;
}

// A load of 0.5 is something else in each unit; other keys have their declared one.
TEST(SweepReport, TheAxisHasAUnit) {
  const auto title = [](const std::string& key, const std::string& traffic,
                        const Json& more = Json::object()) {
    const TemporaryFolder folder;
    SweepWriter writer = SweepWriter::create(folder / "", {}, {{key, {key}, Json::array({1, 2})}});
    std::vector<SweepWriter::Finished> points;
    for (const int value : {1, 2}) {
      SweepWriter::Finished f = point(value, 0.1 * value);
      f.point.axes = {{key, value}};
      f.point.axes.update(more);
      f.point.configuration += "traffic: {" + traffic + "}\n";
      points.push_back(std::move(f));
    }
    writer.add(points);
    const Json curves = figures_of(report(folder))[0]["data"]["curves"];
    return curves["axes"][curves["x"].get<std::size_t>()]["title"].get<std::string>();
  };
  EXPECT_EQ(title("traffic.load", ""), "load (flits per node per cycle)");
  EXPECT_EQ(title("traffic.load", "load_unit: capacity"), "load (share of capacity)");
  EXPECT_EQ(title("traffic.load", "", {{"traffic.load_unit", "flits"}}),
            "load (in the unit of each curve's traffic.load_unit)");
  EXPECT_EQ(title("link.latency", ""), "link.latency (cycles)");
  EXPECT_EQ(title("router.allocator_iterations", ""), "router.allocator_iterations");
}

TEST(SweepReport, LeavesOutWhatDidNotEndWell) {
  const TemporaryFolder folder;
  SweepWriter writer = SweepWriter::create(folder / "", {}, {{"load", {"traffic.load"}, Json::array()}});
  SweepWriter::Finished dead = point(3, 0.5), refused = point(4, 0.6), beyond = point(5, 0.39);
  dead.point.status = PointStatus::deadlock;
  refused.point.status = PointStatus::refused;
  refused.point.configuration = "no: configuration\n";
  refused.point.stats.reset();
  refused.point.message = "<i>impossible</i>";
  writer.add({point(1, 0.1), point(2, 0.3), dead, refused, beyond});
  SaturationRecord saturation;
  saturation.load = 0.3;
  saturation.throughput_point = 5;
  writer.set_saturation(saturation);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "The sweep is not complete"));
  EXPECT_TRUE(contains(html, "Some points failed: 1 deadlock, 1 refused."));
  EXPECT_TRUE(contains(html, "&lt;i&gt;impossible"));
  EXPECT_TRUE(contains(html, "<td>all</td><td>found</td><td class=\"n\">0.3</td>"));
  const Json figures = figures_of(html);
  ASSERT_EQ(figures.size(), 5u);
  EXPECT_EQ(figures[0]["data"]["curves"]["rows"].size(), 2u);
  EXPECT_EQ(figures[3]["kind"], "histogram");
  EXPECT_EQ(figures[3]["data"]["states"].size(), 4u);
  EXPECT_EQ(figures[3]["data"]["states"][1]["label"], "load 0.3");
  EXPECT_EQ(figures[4]["data"]["states"][3]["utilisation"], Json::array({0.5, 0.25}));
}

// What is there now is another network than the runs had.
TEST(SweepReport, DoesNotDrawAGraphThatHasChanged) {
  const std::string graph =
      "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/>"
      "</graph></graphml>\n";
  const auto page = [&](const std::string& before) {
    const TemporaryFolder folder;
    write_file(folder / "g.graphml", graph);
    SweepIdentity identity;
    identity.files = R"({"g.graphml":")" + sha256(before) + R"("})";
    SweepWriter::Finished f = point(0, 0.1);
    f.point.configuration =
        "network: {topology: file, graph: " + (folder / "g.graphml") + "}\nrouting: {algorithm: up-down}\n";
    SweepWriter::create(folder / "", identity, {}).add({f});
    return report(folder);
  };
  EXPECT_FALSE(contains(page(graph), "has changed since the sweep was started"));
  const std::string html = page("another");
  EXPECT_TRUE(contains(html, "g.graphml has changed since the sweep was started"));
  for (const Json& figure : figures_of(html)) EXPECT_NE(figure["kind"], "map");
}

TEST(SweepReport, NamesAreNoMarkup) {
  const std::string hostile = "</script><img src=x>";
  const TemporaryFolder folder;
  SweepWriter writer = SweepWriter::create(folder / "", {"1", hostile, hostile, hostile, hostile},
                                           {{hostile, {hostile}, Json::array({hostile})}});
  for (int i = 0; i < 4; ++i) {
    SweepWriter::Finished f = point(i, i < 2 ? 0 : 0.1);
    f.point.axes[hostile] = hostile + std::to_string(i % 2);
    f.point.metrics["latency." + hostile] = 1;
    writer.add({f});
  }
  const std::string html = report(folder);
  EXPECT_FALSE(contains(html, "<img"));
  const Json axis = figures_of(html)[0]["data"]["curves"]["axes"][0];
  EXPECT_EQ(axis["name"], hostile);
  EXPECT_EQ(axis["values"][0], hostile + "0");
}

TEST(StudyReport, ShowsStatementsAndEverySweep) {
  const TemporaryFolder folder;
  Study study;
  study.name = "made-up";
  study.title = "More <b>VCs</b>";
  study.about = "What it is about.";
  study.text = "title: x\n";
  study.references = {{"a model", "loads", "latency.total.mean", "traffic.load", {{0.1, 31.5}}},
                      {"odd one", "loads", "latency.total.mean", "link.latency", {{1, 30}}}};
  begin_study(folder / "", study, "1.2.3", false);
  // A sweep that has run, and one that has not started.
  std::filesystem::create_directory(folder / "loads");
  test::write_sweep(folder / "loads/");
  Database(folder / kStudyFile, Database::Mode::write)
      .execute("UPDATE meta SET value = '[\"loads\",\"later\"]' WHERE key = 'sweeps'");
  EXPECT_TRUE(contains(report(folder), "The study is not complete: runs are missing."));
  const std::vector<JudgedPart> parts = {{"load=0.1", "a < b", "below 0", "1 and 2", Verdict::holds, 0}};
  write_statements(folder / "",
                   {{"more <b>VCs</b>", "a < b", "1.2 ± 0.1", Verdict::holds, parts},
                    {"tie", "", "3", Verdict::fails, {}},
                    {"later", "", "", Verdict::undecided, {}}},
                   true);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<h1>Study made-up</h1>"));
  EXPECT_TRUE(contains(html, "More &lt;b&gt;VCs&lt;/b&gt;"));
  EXPECT_TRUE(contains(html, "<p>What it is about.</p>"));
  EXPECT_FALSE(contains(html, "not complete"));
  EXPECT_TRUE(contains(html, "<h2>Statements</h2>"));
  EXPECT_TRUE(contains(html, "1 of 3 statements hold."));
  EXPECT_TRUE(contains(
      html, "<td>more &lt;b&gt;VCs&lt;/b&gt;</td><td>a &lt; b</td><td>1.2 ± 0.1</td><td>✓ holds</td>"));
  EXPECT_TRUE(contains(html, "<td>3</td><td>✗ fails</td>"));
  EXPECT_TRUE(contains(html, "<td>? undecided</td>"));
  EXPECT_TRUE(contains(html, "Comparisons that the statements rest on"));
  EXPECT_TRUE(
      contains(html, "<td>load=0.1</td><td>a &lt; b</td><td>below 0</td><td>1 and 2</td><td>✓ holds</td>"));
  EXPECT_TRUE(contains(html, "<h2>Sweep loads</h2>"));
  EXPECT_TRUE(contains(html, "<h2>Curves</h2>"));
  const Json model = figures_of(html)[0]["data"]["curves"]["references"];
  ASSERT_EQ(model.size(), 1u);
  EXPECT_EQ(model[0], (Json{{"name", "a model"},
                            {"axis", 0},
                            {"metric", "latency.total.mean"},
                            {"points", Json::array({Json::array({0.1, 31.5})})}}));
  EXPECT_TRUE(contains(html, "over a key along which no curve runs: odd one."));
  EXPECT_TRUE(contains(html, "<h2>Sweep later</h2>\n<p>Not started.</p>"));
}

TEST(SweepReport, AnotherSchemaIsRefused) {
  const TemporaryFolder folder;
  test::write_sweep(folder / "");
  Database(folder / "results.sqlite", Database::Mode::write)
      .execute("UPDATE meta SET value = '99' WHERE key = 'schema'");
  EXPECT_EQ(
      error_of(folder / ""),
      "cannot read " + (folder / "results.sqlite") +
          ": its schema is 99, but this version of flitmend reads 1; run the sweep again in another folder");
  write_file(folder / "results.sqlite", "no database at all, but long enough to look like something");
  EXPECT_TRUE(contains(error_of(folder / ""), folder / "results.sqlite")) << error_of(folder / "");
}

}  // namespace
}  // namespace flitmend
