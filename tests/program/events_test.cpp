// SPDX-License-Identifier: Apache-2.0
// Runs with faults: events.csv.
#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

struct EventLine {
  std::uint64_t cycle = 0;
  std::string event, part, fault, source, message;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<EventLine> events_of(const std::string& text) {
  std::vector<EventLine> events;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(std::count(lines[i].begin(), lines[i].end(), ','), 9) << lines[i];
    std::istringstream in(lines[i]);
    EventLine e;
    std::string cycle;
    for (std::string* field : {&cycle, &e.event, &e.part, &e.fault, &e.source, &e.message})
      std::getline(in, *field, ',');
    e.cycle = std::stoull(cycle);
    events.push_back(e);
  }
  return events;
}

constexpr const char* kFaulty =
    "network: {size: [5, 5]}\n"
    "recovery: {protocol: PROTOCOL}\n"
    "traffic: {load: 0.1}\n"
    "faults: {static_nodes: [[4, 4]], node_rate: 2.0e-4, link_rate: 1.0e-4, duration: 20,\n"
    "         events: [{cycle: 900, node: [0, 4], duration: permanent}]}\n"
    "statistics: {events: true}\n"
    "simulation: {warmup: 200, measure: 4000}\n";

std::string faulty(const std::string& protocol) {
  std::string text = kFaulty;
  return text.replace(text.find("PROTOCOL"), 8, protocol);
}

class Events : public ProgramFixture {};

// Only the faults and repairs of cycles in which each run still creates messages are compared.
TEST_F(Events, OfFaultsAreTheSameUnderEveryProtocolRoutingAndLoad) {
  const auto faults_of = [&](const std::string& text) {
    EXPECT_EQ(run(text, {"--out", folder_ / "o", "--allow-deadlock"}), 0) << err_;
    std::vector<std::string> faults;
    for (const EventLine& e : events_of(folder_.read("o/events.csv")))
      if ((e.event == "fault" || e.event == "repair") && e.cycle <= 4200)
        faults.push_back(std::to_string(e.cycle) + " " + e.event + " " + e.part + " " + e.fault);
    return faults;
  };
  const std::vector<std::string> expected = faults_of(faulty("none"));
  EXPECT_GT(expected.size(), 50u);
  for (const char* protocol : {"sbrp-1", "apcs"})
    EXPECT_EQ(faults_of(faulty(protocol)), expected) << protocol;
  std::string text = faulty("end-to-end") + "routing: {algorithm: duato}\n";
  text.replace(text.find("load: 0.1"), 9, "load: 0.3");
  EXPECT_EQ(faults_of(text), expected);
}

TEST_F(Events, CountWhatTheStatisticsCount) {
  for (const char* protocol : {"none", "end-to-end"}) {
    ASSERT_EQ(run(faulty(protocol), {"--out", folder_ / "o", "--allow-deadlock"}), 0) << err_;
    const std::string text = folder_.read("o/events.csv");
    EXPECT_EQ(lines_of(text).at(0), "cycle,event,part,fault,source,message,destination,flits,created,what");
    std::map<std::string, std::uint64_t> count;
    std::map<std::string, std::uint64_t> faults;
    std::uint64_t before = 0;
    for (const EventLine& e : events_of(text)) {
      ++count[e.event];
      if (e.event == "fault") ++faults[e.fault + (e.part.find('.') == e.part.npos ? " node" : " channel")];
      EXPECT_GE(e.cycle, before) << text;
      before = e.cycle;
    }
    const auto s = stats("o");
    EXPECT_EQ(count["hit"], s["messages"]["hit"]) << protocol;
    EXPECT_EQ(count["recovered"], s["messages"]["recovered"]);
    EXPECT_EQ(count["lost"], s["messages"]["lost"]);
    EXPECT_EQ(count["undeliverable"], s["messages"]["undeliverable"]);
    EXPECT_EQ(count["void"], s["messages"]["void"]);
    EXPECT_EQ(count["violation"], 0u);
    // What is sent again is counted when it is queued.
    EXPECT_LE(count["resend"], s["recovery"]["retransmissions"]);
    EXPECT_EQ(count["resend"] > 0, std::string(protocol) != "none");
    EXPECT_EQ(faults["static node"], 1u);
    EXPECT_EQ(faults["permanent node"], 1u);
    EXPECT_EQ(faults["transient node"] + 1, s["faults"]["nodes"]);
    EXPECT_EQ(faults["transient channel"], s["faults"]["channels"]);
    EXPECT_EQ(count["repair"], faults["transient node"] + faults["transient channel"]);
    EXPECT_GT(count["hit"], 20u);
    EXPECT_GT(count["undeliverable"], 0u);
    EXPECT_GT(count[std::string(protocol) == "none" ? "lost" : "recovered"], 10u);
  }
}

TEST_F(Events, ComeInOrder) {
  ASSERT_EQ(run(faulty("end-to-end"), {"--out", folder_ / "o", "--allow-deadlock"}), 0) << err_;
  std::map<std::string, std::string> state;  // by source and message
  std::uint64_t last_fault = ~std::uint64_t{0};
  for (const EventLine& e : events_of(folder_.read("o/events.csv"))) {
    if (e.event == "fault") last_fault = e.cycle;
    if (e.message.empty() || e.event == "resend") continue;
    std::string& now = state[e.source + "/" + e.message];
    if (e.event == "hit") {
      EXPECT_EQ(now, "");
      EXPECT_LE(e.cycle, last_fault + 1) << "a hit comes at most one cycle after its fault";
    }
    EXPECT_TRUE(e.event != "recovered" || now == "hit") << now;
    now = e.event;
  }
}

TEST_F(Events, AreTheSameForTheSameSeed) {
  ASSERT_EQ(run(faulty("end-to-end"), {"--out", folder_ / "a", "--allow-deadlock"}), 0) << err_;
  ASSERT_EQ(run(faulty("end-to-end"), {"--out", folder_ / "b", "--allow-deadlock"}), 0) << err_;
  EXPECT_EQ(folder_.read("a/events.csv"), folder_.read("b/events.csv"));
  // The log changes nothing.
  ASSERT_EQ(run(faulty("end-to-end"),
                {"--out", folder_ / "c", "--allow-deadlock", "--set", "statistics.events=false"}),
            0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c/events.csv"));
  auto with = stats("a"), without = stats("c");
  with.erase("host"), without.erase("host");
  EXPECT_EQ(with, without);
}

TEST_F(Events, OfAKilledRunAreReadable) {
  std::string text = faulty("none");
  text.replace(text.find("4000"), 4, "4000000000");
  ProgramProcess process(
      {"run", folder_.write("c.yaml", text), "--quiet", "--allow-deadlock", "--out", folder_ / "o"});
  for (int i = 0; i < 1200; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::error_code none;
    if (std::filesystem::file_size(folder_ / "o/events.csv", none) > 4000 && !none) break;
  }
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  const std::string log = folder_.read("o/events.csv");
  ASSERT_GT(log.size(), 4000u);
  EXPECT_EQ(log.back(), '\n');
  EXPECT_GT(events_of(log).size(), 50u);
}

TEST_F(Events, NeedAFolder) {
  EXPECT_EQ(run("statistics: {events: true}"), 2);
  EXPECT_EQ(err_, at(":1:22: statistics.events: events.csv needs an output folder; give --out DIR"));
}

TEST_F(Events, ThatCannotBeWrittenMakeTheRunUnfinished) {
  ProgramProcess::Options options;
  options.file_limit = 540000;  // a little more than is kept free for the results
  std::string text = faulty("none");
  text.replace(text.find("2.0e-4"), 6, "5.0e-3");
  text.replace(text.find("4000"), 4, "8000");
  EXPECT_EQ(run(text, {"--out", folder_ / "o", "--allow-deadlock"}, options), 5) << err_;
  EXPECT_NE(err_.find("events.csv: No space left on device; the log of events ends early"), err_.npos)
      << err_;
  const std::string log = folder_.read("o/events.csv");
  EXPECT_EQ(log.back(), '\n');
  EXPECT_GT(events_of(log).size(), 50u);
  EXPECT_EQ(stats("o")["status"]["outcome"], "complete");
}

}  // namespace
}  // namespace flitmend
