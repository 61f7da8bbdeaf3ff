// SPDX-License-Identifier: Apache-2.0
// Runs with faults: events.csv, and plans that are refused.
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

class FaultPlans : public ProgramFixture {
 protected:
  /// run and check refuse it with the same words, and nothing is written.
  void refused(const std::string& faults, const std::string& says) {
    const std::string text = "network: {size: [4, 4]}\nfaults: {" + faults + "}\n";
    EXPECT_EQ(check(text), 2) << faults;
    const std::string checked = err_;
    EXPECT_EQ(checked.find("flitmend: " + (folder_ / "c.yaml") + ":2:"), 0u) << checked;
    EXPECT_NE(checked.find(says), checked.npos) << checked;
    EXPECT_EQ(run(text, {"--out", folder_ / "o"}), 2) << faults;
    EXPECT_EQ(err_, checked);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
  }
};

TEST_F(FaultPlans, ThatCannotBeAreRefusedWithPlaceAndRemedy) {
  refused("static_nodes: [[4, 0]]",
          "faults.static_nodes: there is no node [4, 0] in the 4x4 mesh; nodes are");
  refused("static_links: [[[0, 0], [2, 0]]]", "faults.static_links: there is no link between");
  refused("events: [{cycle: 5, node: 16, duration: 3}]", "faults.events: there is no node 16");
  refused("events: [{cycle: 5, link: [0, 5], duration: 3}]", "faults.events: there is no link between");
  refused("events: [{cycle: 5, node: 3, duration: 10}, {cycle: 15, node: 3, duration: 1}]",
          "overlap: the one in cycle 5 is not over before cycle 15; join them, or shorten the first");
  refused("events: [{cycle: 5, node: 3, duration: 0}]", "a number of cycles, at least 1, or permanent");
  refused("duration: 0", "faults.duration: expected a number of cycles, at least 1, or permanent");
  refused("regions: ['box 0,0:4x4']", "faults.regions: all 16 nodes are dead; leave at least one");
  refused("node_rate: 1.5", "faults.node_rate: ");
  refused("link_rate: -0.1", "faults.link_rate: ");
  refused("random_static_nodes: 16", "the 4x4 mesh has only 16 nodes; leave at least one alive");
  refused("random_static_links: 25", "the 4x4 mesh has only 24 links; lower it");
  refused("random_static_links: 10", "10 dead links do not leave the 4x4 mesh connected; 9 could be placed");
  refused(
      "events: [{cycle: 11000, node: 3, duration: 10}]",
      "faults.events: the fault in cycle 11000 never strikes: the last cycle in which one can is 10999; give "
      "an earlier cycle, or lengthen simulation.measure, or set faults.strike_in_drain");
}

TEST_F(FaultPlans, ThatStrikeInTheDrainMayBeLate) {
  EXPECT_EQ(run("network: {size: [4, 4]}\nsimulation: {warmup: 0, measure: 500}\n"
                "faults: {strike_in_drain: true, events: [{cycle: 501, node: 3, duration: 10}]}"),
            0)
      << err_;
}

// The proof is that of each set of faults. Messages on their way from one to the next can deadlock, and here
// do.
TEST_F(FaultPlans, ThatChangeTheRoutesOfMessagesUnderWayAreReported) {
  const std::string text =
      "network: {size: [5, 5]}\nrouting: {algorithm: su-shin}\nrecovery: {protocol: end-to-end}\n"
      "simulation: {warmup: 0, measure: 3000}\nfaults: {node_rate: 1e-2, regions: ['box 1,1:2x2']}";
  const std::string note = "su-shin routes by the set of all faults. ";
  EXPECT_EQ(check(text), 0) << err_;
  EXPECT_NE(out_.find("Faults: " + note), out_.npos) << out_;
  EXPECT_EQ(run(text), 4);
  EXPECT_EQ(err_.find("flitmend: faults: " + note), 0u) << err_;
  EXPECT_NE(err_.find("The results are those up to this cycle. " + note), err_.npos) << err_;
  EXPECT_EQ(run("network: {size: [5, 5]}\nrouting: {algorithm: su-shin}\nfaults: {regions: ['box 1,1:2x2']}"),
            0);
  EXPECT_EQ(err_, "");
}

TEST_F(FaultPlans, ThatCutPairsOffAreReported) {
  const std::string text =
      "network: {size: [4, 4]}\nsimulation: {warmup: 0, measure: 3000}\nrouting: {head_wait_cycles: 50}\n"
      "faults: {static_links: [[[0, 0], [1, 0]]], events: [{cycle: 700, link: [[0, 0], [0, 1]], duration: "
      "permanent}]}";
  const std::string note =
      "30 of 240 pairs of living nodes, the first from router_0_0 to router_1_0, are cut off from each other "
      "by "
      "permanent faults; messages between them are undeliverable";
  EXPECT_EQ(check(text), 0) << err_;
  EXPECT_NE(out_.find("Faults: " + note + ".\n"), out_.npos) << out_;
  EXPECT_NE(out_.find("waits 50 cycles (routing.head_wait_cycles)"), out_.npos) << out_;
  EXPECT_EQ(run(text, {"--out", folder_ / "o"}), 0);
  EXPECT_EQ(err_.find("flitmend: faults: " + note + "\n"), 0u) << err_;
  EXPECT_GT(stats("o")["messages"]["undeliverable"], 0);
  EXPECT_EQ(run("network: {size: [4, 4]}\nrouting: {algorithm: up-down}\nfaults: {static_links: [[[0, 0], "
                "[1, 0]]]}"),
            0);
  EXPECT_EQ(err_, "");
}

// With so many faults a head of probability-vectors may make 4,200 hops, and has a state for each.
TEST_F(FaultPlans, PairsWithoutARouteAreNotCountedWhereThatWouldTakeMinutes) {
  EXPECT_EQ(run("network: {topology: torus, size: [24, 24]}\nrouting: {algorithm: probability-vectors}\n"
                "router: {virtual_channels: 2, vc_reallocation: atomic}\nfaults: {random_static_nodes: 140}\n"
                "traffic: {load: 0.001}\nsimulation: {warmup: 0, measure: 20}",
                {"--out", folder_ / "o"}),
            0);
  EXPECT_EQ(err_.find("have no route"), err_.npos) << err_;
}

// Both commands count the same pairs. Those with nodes out of use are in another note of a run.
TEST_F(FaultPlans, ThatLeavePairsWithoutARouteAreReported) {
  const auto text = [](const char* algorithm) {
    return std::string("network: {size: [4, 4]}\nrouting: {algorithm: ") + algorithm +
           ", head_wait_cycles: 50}\nsimulation: {warmup: 0, measure: 3000}\nfaults: {static_nodes: [5]}";
  };
  const std::string lost =
      "of 210 pairs of healthy nodes that are connected 41 have no route, and 0 can reach a router where "
      "they "
      "have no candidate";
  EXPECT_EQ(check(text("dimension-order")), 0) << err_;
  EXPECT_NE(out_.find("With them, " + lost + ".\n"), out_.npos) << out_;
  EXPECT_EQ(run(text("dimension-order"), {"--out", folder_ / "o"}), 0);
  EXPECT_EQ(err_,
            "flitmend: faults: with those from the start, " + lost + "; such messages are undeliverable\n");
  EXPECT_GT(stats("o")["messages"]["undeliverable"], 0);
  for (const char* algorithm : {"up-down", "su-shin", "fault-ring-e-cube"}) {
    EXPECT_EQ(run(text(algorithm), {"--out", folder_ / algorithm}), 0);
    EXPECT_EQ(err_, "") << algorithm;
    EXPECT_EQ(stats(algorithm)["messages"]["undeliverable"], 0) << algorithm;
  }
  EXPECT_EQ(run("network: {size: [4, 4]}\nrouting: {algorithm: fault-ring-e-cube}\nfaults: {static_nodes: "
                "[5, 10]}"),
            0);
  EXPECT_EQ(err_.find("flitmend: faults: fault-ring-e-cube takes 2 healthy nodes out of use"), 0u) << err_;
  EXPECT_EQ(err_.find("no route"), err_.npos) << err_;
}

class RecoveryProtocols : public FaultPlans {};

TEST_F(RecoveryProtocols, NeedBuffersForTheirOwnFlits) {
  const auto text = [](const char* protocol, int buffer) {
    return "network: {size: [4, 4]}\nrouter: {switching: virtual-cut-through, input_buffer: " +
           std::to_string(buffer) +
           "}\ntraffic: {message_length: 8}\nsimulation: {warmup: 0, measure: 300}\n" +
           "recovery: {protocol: " + protocol + "}\n";
  };
  // A piece that starts later has an FSN flit.
  for (const char* protocol : {"sbrp-1", "sbrp-2"}) {
    EXPECT_EQ(check(text(protocol, 8)), 2);
    EXPECT_EQ(err_,
              at(":2:56: router.input_buffer: 8 flits cannot hold the longest message of 8 flits and 1 of "
                 "recovery.protocol, as router.switching virtual-cut-through requires; set "
                 "router.input_buffer to 9 or more, or shorten traffic.message_length"));
    const std::string checked = err_;
    EXPECT_EQ(run(text(protocol, 8), {"--out", folder_ / "o"}), 2);
    EXPECT_EQ(err_, checked);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
    EXPECT_EQ(run(text(protocol, 9)), 0) << err_;
  }
  EXPECT_EQ(run(text("sbrp-0", 8)), 0) << err_;
}

TEST_F(RecoveryProtocols, WhoseRoutersAskWorkWithSwitchesNextToNodes) {
  for (const char* protocol : {"sbrp-0", "sbrp-1"})
    EXPECT_EQ(run(std::string("network: {topology: kns, k: 4, n: 2}\nsimulation: {warmup: 0, measure: 2000}\n"
                              "faults: {node_rate: 1.0e-4, link_rate: 1.0e-4}\nrecovery: {protocol: ") +
                  protocol + "}\n"),
              0)
        << protocol << err_;
}

TEST_F(RecoveryProtocols, WhoseRoutersAskRefuseSwitchesAmongSwitches) {
  folder_.write("net.graphml", R"(<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="kind" attr.type="string"/>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="left"><data key="k">switch</data></node>
<node id="mid"><data key="k">switch</data></node><node id="right"><data key="k">switch</data></node>
<edge source="a" target="left"/><edge source="left" target="mid"/><edge source="mid" target="right"/>
<edge source="right" target="b"/>
</graph></graphml>)");
  for (const char* protocol : {"sbrp-0", "sbrp-1"}) {
    const std::string text = "network: {topology: file, graph: " + (folder_ / "net.graphml") +
                             "}\nrouting: {algorithm: up-down}\nrecovery: {protocol: " + protocol + "}\n";
    EXPECT_EQ(check(text), 2);
    EXPECT_EQ(
        err_,
        at(":3:22: recovery.protocol: sbrp-0 and sbrp-1 ask for cut messages through the network "
           "interface of the router before the fault, or of a node next to a switch, and switch_mid has no "
           "node next to it; take sbrp-2 or end-to-end"));
    const std::string checked = err_;
    EXPECT_EQ(run(text, {"--out", folder_ / "o"}), 2);
    EXPECT_EQ(err_, checked);
  }
}

/// C, B and A die one after the other while a message stands still in them, so nobody is left who could ask.
/// docs/recovery.md follows the message of seed 5.
TEST_F(RecoveryProtocols, OfWhichNoWitnessIsLeftNeedTheGuard) {
  const auto text = [](const char* guard, int seed) {
    return std::string(
               "network: {size: [7, 7]}\nrouter: {preset: iq}\ntraffic: {load: 0.3, message_length: 12}\n") +
           "faults: {node_rate: 1.0e-3, duration: 100}\nstatistics: {events: true}\n" +
           "simulation: {warmup: 0, measure: 3000, seed: " + std::to_string(seed) +
           "}\nrecovery: {protocol: sbrp-1, guard_acknowledgement: " + guard + "}\n";
  };
  int repaired = 0;
  for (const int seed : {1, 5, 6}) {
    const std::string folder = "assumed-" + std::to_string(seed);
    ASSERT_EQ(run(text("assumed", seed), {"--out", folder_ / folder}), 0) << err_;
    const auto s = stats(folder);
    EXPECT_GT(s["messages"]["hit"], 500);
    EXPECT_EQ(s["messages"]["lost"], 0);
    EXPECT_EQ(s["messages"]["duplicated"], 0);
    EXPECT_EQ(s["recovery"]["guard_repaired"], s["recovery"]["detected_losses"]);
    repaired += s["recovery"]["guard_repaired"].get<int>();
  }
  EXPECT_EQ(repaired, 2);
  // Without the guard the same message is lost, and the run says so.
  ASSERT_EQ(run(text("off", 5), {"--out", folder_ / "off"}), 3) << err_;
  EXPECT_EQ(stats("off")["messages"]["lost"], 1);
  const std::string events = folder_.read("off/events.csv");
  EXPECT_NE(events.find(",lost,,,41,24,22,12,1076,"), events.npos) << events;
}

struct AimedRun {
  const char* protocol;
  const char* part;
  const char* phase;
  const char* faults;  ///< more of section faults
  const char* aim;     ///< more of section aim
  const char* overlap;
  double share;  ///< of all hits, at least
};

class AimedFaults : public ProgramFixture {};

// Random faults hit heads in a tenth of all hits, tails in another, bodies in most of the rest.
TEST_F(AimedFaults, HitWhatTheyAreAimedAt) {
  for (const AimedRun& p :
       {AimedRun{"sbrp-1", "node", "head", "", "", "one", 0.3},
        AimedRun{"utp", "link", "tail", "", "", "one", 0.3},
        AimedRun{"none", "link", "head", "", "at_once: 2, ", "at-once", 0.3},
        AimedRun{"sbrp-0", "node", "body", "", "at_once: 2, ", "at-once", 0.1},
        AimedRun{"end-to-end", "node", "control", "node_rate: 2.0e-4, ", "", "one", 0.2},
        AimedRun{"apcs", "node", "retransmission", "node_rate: 2.0e-4, ", "duration: permanent, most: 2, ",
                 "in-sequence", 0},
        AimedRun{"sbrp-0", "node", "tail", "", "then: [retransmission], apart: 20, ", "in-sequence", 0.04},
        AimedRun{"fcr", "link", "absorption", "link_rate: 2.0e-4, ", "", "in-sequence", 0}}) {
    const std::string text = std::string("network: {size: [5, 5]}\nrouting: {algorithm: duato}\n") +
                             "traffic: {load: 0.15, message_length: 12}\n"
                             "simulation: {warmup: 0, measure: 6000}\nstatistics: {hits: true}\n"
                             "recovery: {protocol: " +
                             p.protocol + "}\nfaults: {" + p.faults + "aim: {" + p.aim + "part: " + p.part +
                             ", phases: [" + p.phase + "], rate: 0.01" +
                             (std::string(p.aim).find("apart") == std::string::npos ? ", apart: 300" : "") +
                             "}}\n";
    ASSERT_EQ(run(text, {"--out", folder_ / p.phase}), 0) << err_;
    std::uint64_t wanted = 0, all = 0;
    const bool permanent = text.find("permanent") != text.npos;
    const auto results = stats(p.phase);
    for (const auto& row : results["hits"]) {
      const std::uint64_t hits = row["hits"];
      all += hits;
      if (row["fault"] == p.part && row["phase"] == p.phase && row["overlap"] == p.overlap &&
          row["duration"] == (permanent ? "permanent" : "transient"))
        wanted += hits;
    }
    EXPECT_GE(wanted, permanent ? 1u : 5u) << text;
    EXPECT_GE(static_cast<double>(wanted), p.share * static_cast<double>(all)) << text;
    if (text.find("apart: 300") != text.npos) {
      EXPECT_LE(results["faults"]["nodes"].get<int>(), 100)
          << "two in 300 cycles at most, and some at random";
    }
  }
}

// When tails waited for shadow registers, these faults left messages that waited for each other forever.
TEST_F(AimedFaults, LeaveNoTailsThatWaitForEachOther) {
  for (const char* protocol : {"sbrp-0", "sbrp-1"}) {
    const std::string text =
        std::string("network: {size: [7, 7]}\nrouter: {preset: sbrp}\n") +
        "routing: {algorithm: duato, misroutes: 1, escape: terminal}\n"
        "traffic: {load: 0.1, message_length: 12}\n"
        "simulation: {warmup: 0, measure: 3000, max_cycles: 100000}\n"
        "recovery: {protocol: " +
        protocol +
        "}\nfaults: {aim: {part: node, phases: [head, tail], at_once: 2, duration: permanent, "
        "most: 3, apart: 50, rate: 2.0e-4}}\n";
    EXPECT_EQ(run(text, {"--out", folder_ / protocol}), 0) << err_;
    EXPECT_GT(stats(protocol)["messages"]["delivered"].get<int>(), 700);
  }
}

TEST_F(AimedFaults, AreTheSameForTheSameSeed) {
  const std::string text = faulty("sbrp-1").replace(faulty("sbrp-1").find("duration: 20,"), 13,
                                                    "duration: 20, aim: {phases: [control], rate: 0.01},");
  ASSERT_EQ(run(text, {"--out", folder_ / "a"}), 0) << err_;
  ASSERT_EQ(run(text, {"--out", folder_ / "b"}), 0) << err_;
  EXPECT_EQ(folder_.read("a/events.csv"), folder_.read("b/events.csv"));
  EXPECT_NE(folder_.read("a/events.csv").find(",fault,"), std::string::npos);
}

TEST_F(AimedFaults, AreRefusedWithoutAPhase) {
  EXPECT_EQ(check("network: {size: [4, 4]}\nfaults: {aim: {rate: 0.1}}\n"), 2);
  EXPECT_NE(err_.find(":2:22: faults.aim.phases: faults.aim.rate needs phases; take head, body"), err_.npos)
      << err_;
  EXPECT_EQ(check("network: {size: [4, 4]}\nfaults: {aim: {phases: [heads], rate: 0.1}}\n"), 2);
  EXPECT_NE(err_.find("c.yaml:2:"), err_.npos) << err_;
}

class CompressionlessRouting : public ProgramFixture {
 protected:
  // Without T_out, deadlocked within a few thousand cycles.
  static constexpr const char* kDeadlocks =
      "network: {size: [4, 4]}\n"
      "router: {preset: sbrp, virtual_channels: 1}\n"
      "routing: {algorithm: tfar}\n"
      "traffic: {load: 0.3, message_length: 12}\n"
      "simulation: {warmup: 0, measure: 4000}\n"
      "recovery: {protocol: fcr}\n";
};

TEST_F(CompressionlessRouting, IsWhatCheckReliesOnIfRoutingCanDeadlock) {
  EXPECT_EQ(check(kDeadlocks), 4);
  EXPECT_NE(out_.find("wormhole: can deadlock\n"), out_.npos) << out_;
  const std::string recovered = std::string(kDeadlocks) + "deadlock: {recovery: compressionless}\n";
  EXPECT_EQ(check(recovered), 0) << err_;
  EXPECT_EQ(
      out_.substr(0, out_.find('\n')),
      "tfar on a 4x4 mesh with 1 virtual channel, wormhole: can deadlock; recovery.timeout of fcr ends a "
      "deadlock");
  EXPECT_EQ(check(recovered, {"--set", "recovery.protocol=sbrp-1"}), 2);
  EXPECT_NE(err_.find("c.yaml:7:22: deadlock.recovery: compressionless is part of recovery.protocol fcr"),
            err_.npos)
      << err_;
  EXPECT_EQ(check(recovered, {"--set", "routing.algorithm=dimension-order"}), 0);
  EXPECT_EQ(out_.find("can deadlock"), out_.npos) << out_;
}

TEST_F(CompressionlessRouting, EndsTheDeadlocksOfARun) {
  EXPECT_EQ(run(kDeadlocks, {"--out", folder_ / "refused"}), 2) << "routing that can deadlock";
  EXPECT_EQ(
      run(kDeadlocks, {"--out", folder_ / "none", "--allow-deadlock", "--set", "recovery.protocol=none"}), 4)
      << "it does deadlock: " << err_;
  ASSERT_EQ(
      run(std::string(kDeadlocks) + "deadlock: {recovery: compressionless}\n", {"--out", folder_ / "o"}), 0)
      << err_;
  const auto s = stats("o");
  EXPECT_GT(s["recovery"]["timeouts"].get<int>(), 5);
  EXPECT_GT(s["recovery"]["control_lines"]["forward_kill"].get<int>(), 5);
  EXPECT_EQ(s["messages"]["delivered"], s["messages"]["generated"]);
  EXPECT_EQ(s["messages"]["duplicated"].get<int>(), 0);
  EXPECT_EQ(s["recovery"]["guard_repaired"].get<int>(), 0);
}

}  // namespace
}  // namespace flitmend
