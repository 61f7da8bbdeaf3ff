// SPDX-License-Identifier: Apache-2.0
// What the report of a run says and draws of faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "support/reports.h"
#include "testbench/configuration/loader.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

using test::contains;
using test::figures_of;
using test::report;
using test::small_results;
using test::TemporaryFolder;
using test::write_file;
using test::write_run;

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
             "9,hit,,,router_0,0,router_2,12,3,\n"
             "10,hit,,,router_2,5,router_0,12,4,\n"
             "19,repair,router_1,,,,,,,\n"
             "30,resend,,,router_0,0,router_2,12,3,\n"
             "31,resend,,,router_0,7,router_2,12,20,\n"
             "40,fault,router_1,transient,,,,,,\n"
             "41,hit,,,router_1,1,router_0,12,35,\n"
             "60,recovered,,,router_0,0,router_2,12,3,\n"
             "61,lost,,,router_2,5,router_0,12,4,\n"
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
  EXPECT_EQ(line["hits"][0]["name"], "message 0 of router_0 to router_2");
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

}  // namespace
}  // namespace flitmend
