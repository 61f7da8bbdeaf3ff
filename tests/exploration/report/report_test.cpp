// SPDX-License-Identifier: Apache-2.0
// Reports on folders: what they show, hostile content, and errors.
#include "exploration/report/report.h"

#include <expat.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "base/errors.h"
#include "exploration/studies/study_database.h"
#include "exploration/sweeps/database.h"
#include "support/files.h"
#include "support/sweep_folder.h"
#include "testbench/configuration/loader.h"
#include "testbench/statistics/channel_statistic.h"
#include "testbench/statistics/results.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using test::TemporaryFolder;
using test::write_file;

constexpr PlottingLibrary kNoDrawing{"var vega;", "var vegaLite;", "Licence: do as you like."};

std::string report(const TemporaryFolder& folder) {
  return report_html(folder / "", kNoDrawing);
}
std::string error_of(const std::string& folder) {
  return test::message_of<ConfigurationError>([&] { report_html(folder, kNoDrawing); });
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// The data of the figures, as a browser reads it.
Json figures_of(const std::string& html) {
  const std::string begin = "<script type=\"application/json\" id=\"figures\">";
  const std::size_t at = html.find(begin) + begin.size();
  return Json::parse(html.substr(at, html.find("</script>", at) - at));
}

/// The two channels of a 2x1 mesh.
std::shared_ptr<const OptionalStatistic> channels(const std::string& from, const std::string& port) {
  return std::make_shared<ChannelStatistic>(
      std::vector<ChannelResults>{ChannelResults::measured(from, port, "router_1", 50, 100),
                                  ChannelResults::measured("router_1", "dim0_minus", "router_0", 25, 100)});
}

/// A 2x1 mesh with one channel each way.
Results small_results() {
  Results r;
  r.simulation.measured_cycles = 100;
  r.messages = {.generated = 1001, .delivered = 1001};
  r.traffic.accepted = 0.25;
  r.latency.total.count = 1001;
  r.latency.total.mean = 31.25;
  r.latency.total.ci95 = 0.5;
  r.latency.total.p50 = 30;
  r.latency.total.p95 = 40;
  r.latency.total.p99 = 41;
  r.latency.total.histogram = HistogramResults{{30, 40, 4000}, {600, 400, 1}};
  r.optional = {channels("router_0", "dim0_plus")};
  return r;
}

void write_run(const TemporaryFolder& folder, const Results& results,
               const std::string& config = "network: {topology: mesh, size: [2]}\n") {
  write_file(folder / "stats.json", to_json(results));
  write_file(folder / "config.yaml", config);
}

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
  EXPECT_TRUE(contains(html, "With 4224 channels there is no picture here"));
  EXPECT_EQ(drawing_of(html), "");
}

TEST(RunReport, SaysWhyTheConfigurationCannotBeChecked) {
  const std::string html =
      report_on("network: {topology: mesh, size: [3, 3]}\nrouting: {algorithm: table, table: missing.csv}\n");
  EXPECT_TRUE(contains(html, "missing.csv")) << html.substr(0, 9000);
  EXPECT_EQ(drawing_of(html), "");
}

constexpr const char* kFaultyConfig =
    "network: {topology: mesh, size: [3]}\nfaults: {events: [{cycle: 9, node: [1], duration: 10}]}\n";

Results faulty_results() {
  Results r = small_results();
  r.optional.clear();
  r.simulation.cycles = 5000;
  r.faults = {2, 1};
  r.messages.hit = 3;
  r.messages.recovered = 2;
  r.messages.lost = 1;
  r.latency.corrupted.count = 2;
  r.latency.corrupted.mean = 90;
  r.latency.recovery.count = 2;
  r.latency.recovery.mean = 61.5;
  r.recovery.kept_bytes.add(2, 100);
  r.recovery.kept_bytes.advance(4);
  return r;
}

TEST(RunReport, ShowsFaultsAndWhatBecameOfMessages) {
  const TemporaryFolder folder;
  write_run(folder, faulty_results(), kFaultyConfig);
  write_file(folder / "events.csv",
             "cycle,event,part,fault,source,message,destination,flits,created,what\n"
             "0,fault,router_2.dim0_minus,static,,,,,,\n"
             "9,fault,router_1,transient,,,,,,\n"
             "9,hit,,,0,0,2,12,3,\n"
             "10,hit,,,2,5,0,12,4,\n"
             "19,repair,router_1,,,,,,,\n"
             "30,resend,,,0,0,2,12,3,\n"
             "31,resend,,,0,7,2,12,20,\n"
             "40,fault,router_1,transient,,,,,,\n"
             "41,hit,,,1,1,0,12,35,\n"
             "60,recovered,,,0,0,2,12,3,\n"
             "61,lost,,,2,5,0,12,4,\n"
             "garbage\n");
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<dd>61.5<small>cycles from fault to delivery, mean</small></dd>")) << html;
  EXPECT_TRUE(contains(html, "Lines of events.csv that cannot be read: 1."));
  // (1001 · 31.25 − 2 · 90) / 999
  EXPECT_TRUE(contains(html, "<td>not hit</td><td class=\"n\">999</td><td class=\"n\">31.1324</td>")) << html;
  const Json figures = figures_of(html);
  ASSERT_EQ(figures.size(), 5u);
  EXPECT_EQ(figures[1]["kind"], "timeline");
  const Json& line = figures[1]["data"];
  ASSERT_EQ(line["outages"].size(), 3u);
  EXPECT_EQ(line["outages"][0],
            (Json{{"part", "router_2.dim0_minus"}, {"from", 0}, {"to", 61}, {"dead", true}}));
  EXPECT_EQ(line["outages"][1], (Json{{"part", "router_1"}, {"from", 9}, {"to", 19}, {"dead", false}}));
  EXPECT_EQ(line["outages"][2]["to"], 61) << "not repaired before the log ends";
  ASSERT_EQ(line["hits"].size(), 3u);
  EXPECT_EQ(line["hits"][0]["name"], "message 0 of node 0 to node 2");
  EXPECT_EQ(line["hits"][0]["resends"], Json::array({30}));
  EXPECT_EQ(line["hits"][0]["fate"], "recovered");
  EXPECT_EQ(line["hits"][1]["fate"], "lost");
  EXPECT_EQ(line["hits"][2]["fate"], "open");
  EXPECT_EQ(figures[2]["kind"], "hit_latency");
  ASSERT_EQ(figures[2]["data"]["points"].size(), 1u);
  EXPECT_EQ(figures[2]["data"]["points"][0]["latency"], 57);
  EXPECT_EQ(figures[3]["kind"], "sender_memory");
  ASSERT_EQ(figures[3]["data"]["slices"].size(), 5u) << "the last one has an end";
  EXPECT_EQ(figures[3]["data"]["slices"][1]["bytes"], 0);
  EXPECT_EQ(figures[3]["data"]["slices"][2], (Json{{"cycle", 2.0}, {"bytes", 100}}));
  EXPECT_EQ(figures[4]["kind"], "fault_map");
  const Json& map = figures[4]["data"];
  EXPECT_EQ(map["nodes"][0]["fate"], "healthy");
  EXPECT_EQ(map["nodes"][1]["fate"], "failed and repaired");
  EXPECT_EQ(map["nodes"][1]["faults"], 2);
  std::uint64_t of_channels = 0;
  for (const Json& faults : map["states"][0]["faults"]) of_channels += faults.get<std::uint64_t>();
  EXPECT_EQ(of_channels, 1u);
}

TEST(RunReport, DrawsFaultsFromTheStartOverTheWholeRun) {
  const TemporaryFolder folder;
  write_run(folder, faulty_results(), kFaultyConfig);
  write_file(folder / "events.csv",
             "cycle,event,part,fault,source,message,destination,flits,created,what\n"
             "0,fault,router_2.dim0_minus,static,,,,,,\n");
  const Json line = figures_of(report(folder))[1];
  EXPECT_EQ(line["kind"], "timeline");
  EXPECT_EQ(line["data"]["last"], 5000);
  EXPECT_EQ(line["data"]["outages"][0]["to"], 5000);
}

TEST(RunReport, OfFaultsSaysHowToRecordEvents) {
  const TemporaryFolder folder;
  write_run(folder, faulty_results(), kFaultyConfig);
  const std::string html = report(folder);
  EXPECT_TRUE(contains(html, "<h2>Faults</h2>"));
  EXPECT_TRUE(contains(html, "statistics: {events: true}"));
  const Json figures = figures_of(html);
  ASSERT_EQ(figures.size(), 3u) << "the histogram, what senders kept, and the map";
  EXPECT_EQ(figures[2]["kind"], "fault_map");
  EXPECT_EQ(figures[2]["data"]["nodes"][1]["fate"], "failed and repaired");
}

/// Of the first map of that kind: names of dead nodes and switches, and of dead channels.
std::pair<std::set<std::string>, std::set<std::string>> dead_on_map(const Json& figures, const char* kind) {
  std::set<std::string> nodes, channels;
  for (const Json& figure : figures) {
    if (figure["kind"] != kind) continue;
    const Json& data = figure["data"];
    for (const Json& node : data["nodes"])
      if (node.value("dead", false) || node.value("fate", "") == "dead") nodes.insert(node["name"]);
    for (std::size_t i = 0; i < data["channels"].size(); ++i) {
      const Json& channel = data["channels"][i];
      const Json& state = data["states"][0];
      if (channel.value("dead", false) || (state.contains("faults") && state["faults"][i] != 0))
        channels.insert(channel["from"].get<std::string>() + "." + channel["port"].get<std::string>());
    }
    break;
  }
  return {nodes, channels};
}

/// The results of a run of that network, with the utilisation of its channels.
Results results_with_channels(const char* config) {
  Results r = faulty_results();
  const auto topology = make_topology(parse_configuration(config, "config.yaml", {}).network);
  std::vector<ChannelResults> all;
  for (RouterId router = 0; router < topology->router_count(); ++router)
    for (PortId port = 0; port < topology->port_count(router); ++port)
      if (const auto far = topology->neighbour(router, port))
        all.push_back(ChannelResults::measured(topology->router_name(router),
                                               topology->port_name(router, port),
                                               topology->router_name(far->router), 10, 100));
  r.optional = {std::make_shared<ChannelStatistic>(std::move(all))};
  return r;
}

// A KNS network has switches, and its links go to them. Nothing but the configuration says what was faulty.
TEST(RunReport, StaticFaultsAreOnTheMapsWithoutEvents) {
  const char* const config =
      "network: {topology: kns, k: 3, n: 2}\nrouter: {preset: kns}\n"
      "routing: {algorithm: intermediate-nodes}\n"
      "faults: {static_nodes: [4], random_static_links: 2,\n"
      "         events: [{cycle: 9, node: [0, 0], duration: permanent}, {cycle: 8, node: [2, 2], duration: "
      "5},\n"
      "                  {cycle: 90000, node: [1, 0], duration: permanent}]}\n"
      "simulation: {warmup: 1000, measure: 3000, seed: 3}\nstatistics: {channels: true}\n";
  const TemporaryFolder folder;
  write_run(folder, results_with_channels(config), config);
  const Json figures = figures_of(report(folder));
  const auto [nodes, channels] = dead_on_map(figures, "fault_map");
  EXPECT_EQ(nodes, (std::set<std::string>{"router_0_0", "router_1_1"})) << "the third one never died";
  EXPECT_EQ(channels.size(), 4u) << "two links, each with a channel to its switch and one from it";
  EXPECT_EQ(std::count_if(channels.begin(), channels.end(),
                          [](const std::string& name) { return name.starts_with("switch_"); }),
            2);
  EXPECT_EQ(dead_on_map(figures, "map"), std::pair(nodes, channels));
}

TEST(RunReport, WithoutFaultsHasNoPartAboutThem) {
  const TemporaryFolder folder;
  write_run(folder, small_results());
  EXPECT_FALSE(contains(report(folder), "<h2>Faults</h2>"));
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
  EXPECT_EQ(error_of(folder / "nowhere"), "there is no folder " + (folder / "nowhere"));
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
  EXPECT_EQ(curves["series"], Json::array({"virtual_channels 2", "virtual_channels 4"}));
  EXPECT_EQ(curves["title"], "load (flits per node per cycle)");
  EXPECT_EQ(curves["metrics"][1]["name"], "latency.total.mean");
  ASSERT_EQ(curves["rows"].size(), 10u);
  const Json& row = curves["rows"][2];
  EXPECT_EQ(row["x"], 0.25);
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
    return figures_of(report(folder))[0]["data"]["curves"]["title"].get<std::string>();
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
  EXPECT_TRUE(contains(html, "Not every point ended well: 1 deadlock, 1 refused."));
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
  EXPECT_EQ(figures_of(html)[0]["data"]["curves"]["series"][0], hostile + " " + hostile + "0");
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
  const auto series = figures_of(html)[0]["data"]["curves"]["series"];
  EXPECT_EQ(series[series.size() - 1], "a model");
  EXPECT_TRUE(contains(html, "over another key than traffic.load: odd one."));
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
