// SPDX-License-Identifier: Apache-2.0
// Reports of runs: what they show, hostile content, and errors.
#include <expat.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "support/reports.h"

namespace flitmend {
namespace {

using test::channels;
using test::contains;
using test::error_of;
using test::figures_of;
using test::report;
using test::small_results;
using test::TemporaryFolder;
using test::write_file;
using test::write_run;

TEST(RunReport, ShowsWhatTheRunFound) {
  const TemporaryFolder folder;
  write_run(folder, small_results());
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<h1>Run of 2-node linear array</h1>")) << html.substr(0, 2000);
  EXPECT_TRUE(contains(html, "<dd>31.25<small>± 0.5 cycles (95 %)</small></dd>"));
  EXPECT_TRUE(contains(html, "<td>latency.total.mean</td><td class=\"n\">31.25</td><td>cycles</td>"));
  EXPECT_TRUE(contains(html, "<td>router_0</td><td>dim0_plus</td><td>router_1</td>"));
  EXPECT_TRUE(contains(html, "Licence: do as you like."));
  EXPECT_FALSE(contains(html, "class=\"warning\""));

  const Json figures = figures_of(html);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0]["kind"], "histogram");
  const Json& histogram = figures[0]["data"]["states"][0];
  EXPECT_EQ(histogram["messages"], Json::array({600, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400}));
  EXPECT_EQ(histogram["beyond"], 1);
  EXPECT_EQ(histogram["marks"][1], (Json{{"name", "p95"}, {"cycles", 40.0}}));
  EXPECT_EQ(figures[1]["kind"], "map");
  EXPECT_EQ(figures[1]["data"]["states"][0]["utilisation"], Json::array({0.5, 0.25}));
  EXPECT_EQ(figures[1]["data"]["nodes"].size(), 2u);
}

TEST(RunReport, NeedsNoNetwork) {
  const TemporaryFolder folder;
  write_run(folder, small_results());
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "default-src 'none'"));
  for (const char* word : {"src=\"", "href=", "url(", "@import", "fetch("})
    EXPECT_FALSE(contains(html, word)) << word;
}

TEST(RunReport, SaysWhyTheMeanHasNoInterval) {
  const TemporaryFolder folder;
  Results r = small_results();
  r.latency.total.ci95.reset();
  r.latency.total.ci95_reason = "latency rises";
  write_run(folder, r);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<dd>31.25<small>cycles</small></dd>"));
  EXPECT_TRUE(contains(html, "The mean latency has no 95 % interval: latency rises."));
}

TEST(RunReport, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  Results r = small_results();
  r.optional.clear();
  r.latency.total.histogram.reset();
  r.contract.holds = false;
  r.contract.violations = 7;
  r.messages.in_flight = 12;
  write_run(folder, r);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "statistics: {histogram: true}"));
  EXPECT_TRUE(contains(html, "statistics: {channels: true}"));
  EXPECT_TRUE(contains(html, "The model broke its contract 7 times"));
  EXPECT_TRUE(contains(html, "12 messages were still in flight"));
  EXPECT_TRUE(figures_of(html).empty());
}

/// The picture of the deadlock check; empty if there is none.
std::string drawing_of(const std::string& html) {
  const std::size_t figure = html.find("<figure class=\"drawing\">");
  if (figure == html.npos) return "";
  const std::size_t from = html.find("<svg", figure), end = html.find("</svg>", from);
  return html.substr(from, end + 6 - from);
}

/// Elements of that name in a text that must be well-formed XML; −1 if it is not.
int elements(const std::string& xml, const char* name) {
  struct Count {
    std::string name;
    int found = 0;
  } count{name};
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                            &XML_ParserFree);
  XML_SetUserData(parser.get(), &count);
  XML_SetStartElementHandler(parser.get(), [](void* data, const XML_Char* element, const XML_Char**) {
    Count& counted = *static_cast<Count*>(data);
    counted.found += counted.name == element;
  });
  const bool good =
      XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), XML_TRUE) == XML_STATUS_OK;
  return good ? count.found : -1;
}

std::string report_on(const std::string& config) {
  const TemporaryFolder folder;
  write_run(folder, small_results(), config);
  return report(folder);
}

TEST(RunReport, DrawsTheOrderOfTheProof) {
  const std::string html = report_on("network: {topology: mesh, size: [3, 3]}\n");
  const std::size_t section = html.find("<h2>Deadlock</h2>");
  ASSERT_NE(section, html.npos);
  EXPECT_TRUE(contains(
      html,
      "<p>dimension-order on a 3x3 mesh with 4 virtual channels, wormhole: free of deadlock and livelock, "
      "every pair has a route.</p>"))
      << html.substr(section, 500);
  EXPECT_TRUE(contains(html, "<figcaption>The order of the proof: "));
  EXPECT_TRUE(contains(html, "<summary>flitmend check</summary>"));
  EXPECT_FALSE(contains(html, "class=\"warning\""));
  const std::string svg = drawing_of(html);
  EXPECT_EQ(elements(svg, "svg"), 1) << svg;
  EXPECT_EQ(elements(svg, "polyline"), 24) << "every channel";
  EXPECT_EQ(elements(svg, "polygon"), 24) << "and each has a rank";
  EXPECT_EQ(elements(svg, "circle"), 9);
}

TEST(RunReport, DrawsADeadlockThatTheRoutingAllows) {
  const std::string html = report_on(
      "network: {topology: mesh, size: [3, 3]}\nrouter: {virtual_channels: 1}\n"
      "routing: {algorithm: tfar}\n");
  EXPECT_TRUE(
      contains(html, "role=\"alert\">tfar on a 3x3 mesh with 1 virtual channel, wormhole: can deadlock.<"))
      << html.substr(0, 9000);
  EXPECT_TRUE(contains(html, "<figcaption>A deadlock that the routing allows"));
  const std::string svg = drawing_of(html);
  EXPECT_EQ(elements(svg, "polygon"), 4) << "four messages wait for each other";
  EXPECT_TRUE(contains(svg, "message 1 to router_"));
  EXPECT_TRUE(contains(svg, " waits for "));
}

TEST(RunReport, OfALargeNetworkHasTheVerdictOnly) {
  const std::string html =
      report_on("network: {topology: mesh, size: [33, 33]}\nrouter: {virtual_channels: 1}\n");
  EXPECT_TRUE(
      contains(html, "dimension-order on a 33x33 mesh with 1 virtual channel, wormhole: free of deadlock"));
  EXPECT_TRUE(contains(html, "Not drawn: the network has 4224 channels"));
  EXPECT_EQ(drawing_of(html), "");
}

TEST(RunReport, SaysWhyTheConfigurationCannotBeChecked) {
  const std::string html =
      report_on("network: {topology: mesh, size: [3, 3]}\nrouting: {algorithm: table, table: missing.csv}\n");
  EXPECT_TRUE(contains(html, "missing.csv")) << html.substr(0, 9000);
  EXPECT_EQ(drawing_of(html), "");
}

TEST(RunReport, SaysFirstThatTheRunWasCutShort) {
  const TemporaryFolder folder;
  Results r = small_results();
  r.status = {RunOutcome::limit, "simulation.max_cycles = 100 reached in cycle 100"};
  write_run(folder, r);
  const std::string html = report(folder);
  const std::size_t said =
      html.find("The run was cut short (limit): simulation.max_cycles = 100 reached in cycle 100.");
  ASSERT_NE(said, html.npos);
  EXPECT_LT(said, html.find("<dl"));
}

TEST(RunReport, GoesWithoutAConfiguration) {
  const TemporaryFolder folder;
  write_file(folder / "stats.json", to_json(small_results()));
  EXPECT_TRUE(contains(report(folder), "config.yaml cannot be read"));
  write_file(folder / "config.yaml", "network: {topologie: mesh}\n");
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "topologie")) << html.substr(0, 3000);
  EXPECT_TRUE(contains(html, "The network cannot be drawn"));
  // A run of another network does not match this map.
  write_file(folder / "config.yaml", "network: {topology: mesh, size: [3, 3]}\n");
  EXPECT_TRUE(contains(report(folder), "The network cannot be drawn"));
}

TEST(RunReport, NamesAreNoMarkup) {
  const std::string hostile = "</script><img src=x onerror=alert(1)>";
  const TemporaryFolder folder;
  Results r = small_results();
  r.optional = {channels(hostile, "\"><b>")};
  write_run(folder, r,
            "# " + hostile + "\nnetwork: {topology: mesh, size: [2]}\ntraffic: {trace: '" + hostile + "'}\n");
  const std::string html = report(folder);
  EXPECT_FALSE(contains(html, "<img"));
  EXPECT_FALSE(contains(html, "<b>"));
  EXPECT_TRUE(contains(html, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"));
  EXPECT_NO_THROW(figures_of(html));
}

TEST(RunReport, StatisticsOfAnyShapeDoNoHarm) {
  const TemporaryFolder folder;
  for (
      const char* text :
      {R"({"schema": 2})", R"({"schema": 2, "latency": 3, "channels": {}, "traffic": []})",
       R"({"schema": 2, "channels": [1, "a", {}], "latency": {"total": {"histogram": {"cycles": [1, 2], "messages": [1]}}}})",
       R"({"schema": 2, "latency": {"total": {"histogram": {"cycles": [2, 1], "messages": [1, -1]}, "mean": "x"}}})"}) {
    write_file(folder / "stats.json", text);
    write_file(folder / "config.yaml", "network: {topology: mesh, size: [2]}\n");
    EXPECT_TRUE(figures_of(report(folder)).empty()) << text;
  }
}

TEST(Report, SaysWhatItCannotReportOn) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder / "nowhere"),
            "there is no folder " + (folder / "nowhere") +
                "; name the one that flitmend run, sweep or study wrote to (--out)");
  write_file(folder / "stats.json", "{");
  EXPECT_EQ(error_of(folder / "stats.json"),
            (folder / "stats.json") +
                " is not a folder; name the one that flitmend run, sweep or study wrote to (--out)");
  EXPECT_EQ(error_of(folder / ""),
            "cannot read " + (folder / "stats.json") + ":1:2: invalid JSON; run the simulation again");
  write_file(folder / "stats.json", "[1]");
  EXPECT_EQ(error_of(folder / ""), "cannot read " + (folder / "stats.json") +
                                       ": it is not a result of flitmend run, because it has no schema");
  write_file(folder / "stats.json", R"({"schema": 99})");
  EXPECT_EQ(error_of(folder / ""), "cannot read " + (folder / "stats.json") +
                                       ": its schema is 99, but this version of flitmend reads 2; run the "
                                       "simulation again, or use the version that wrote it");
  std::filesystem::remove(folder / "stats.json");
  EXPECT_EQ(error_of(folder / "."), "nothing to report on in " + (folder / ".") +
                                        ": it has none of stats.json (flitmend run), results.sqlite "
                                        "(flitmend sweep) and study.sqlite (flitmend study)");
  std::filesystem::create_directory(folder / "stats.json");
  EXPECT_EQ(error_of(folder / ""),
            "cannot read " + (folder / "stats.json") + "; check that it is a file and that you may read it");
}

TEST(Report, NeedsAPlottingLibrary) {
  const TemporaryFolder folder;
  write_run(folder, small_results());
  EXPECT_EQ(
      test::message_of<ConfigurationError>([&] { report_html(folder / "", {}); }),
      "this program was built without the plotting library of reports; install npm (Debian: apt-get install "
      "npm), configure with CMake again to fetch the library, and build");
}

// The configuration of a platform has a section traffic, which its elements do not follow.
TEST(RunReport, OfAPlatformNamesNoTraffic) {
  const TemporaryFolder folder;
  Results results = small_results();
  write_run(folder, results);
  EXPECT_TRUE(contains(report(folder), "uniform traffic, load 0.2 "));
  results.status.platform = true;
  write_run(folder, results);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<p>dimension-order routing, transactions of a platform, seed 1</p>")) << html;
  EXPECT_FALSE(contains(html, "uniform traffic"));
}

TEST(RunReport, ShowsTheDeadlockThatEndedTheRun) {
  const TemporaryFolder folder;
  Results results = small_results();
  WaitingVcResults first, second;
  first.router = "router_1";
  first.port = "dim0_minus";
  first.message = 7;
  first.source = "router_0";
  first.destination = "router_1";
  second.router = "router_0";
  second.port = "dim0_plus";
  second.vc = 3;
  results.deadlock.cycle = {first, second};
  write_run(folder, results);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<h2>The deadlock of this run</h2>"));
  EXPECT_TRUE(contains(html,
                       "<td class=\"n\">1</td><td>router_1.dim0_minus.vc0</td><td>message 7 of router_0 to "
                       "router_1</td><td>router_0.dim0_plus.vc3</td>"))
      << html;
  EXPECT_TRUE(contains(html, "<td>the rest of a message</td><td>router_1.dim0_minus.vc0</td>"));
  EXPECT_TRUE(contains(html, "2: router_0.dim0_plus.vc3, the rest of a message, waits for 1"));
  EXPECT_EQ(html.find("<figure class=\"drawing\">"), html.rfind("<figure class=\"drawing\">"))
      << "the check has no picture of its own";
  write_run(folder, small_results());
  EXPECT_FALSE(contains(report(folder), "The deadlock of this run"));
}

TEST(RunReport, ShowsTheDeadlockOfALargeNetworkAsATableOnly) {
  const TemporaryFolder folder;
  Results results = small_results();
  WaitingVcResults first, second;
  first.router = "router_1_0";
  first.port = "west";
  second.router = "router_0_0";
  second.port = "east";
  results.deadlock.cycle = {first, second};
  write_run(folder, results, "network: {topology: mesh, size: [33, 33]}\nrouter: {virtual_channels: 1}\n");
  const std::string html = report(folder);
  const std::size_t section = html.find("<h2>The deadlock of this run</h2>");
  ASSERT_NE(section, html.npos);
  const std::string text = html.substr(section, html.find("<h2>", section + 1) - section);
  EXPECT_TRUE(contains(text, "Not drawn: the network has 4224 channels, and reports draw at most 4000."))
      << text;
  EXPECT_TRUE(contains(text, "<td>router_1_0.west.vc0</td>")) << text;
  EXPECT_EQ(drawing_of(html), "");
}

}  // namespace
}  // namespace flitmend
