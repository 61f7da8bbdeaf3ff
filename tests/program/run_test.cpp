// SPDX-License-Identifier: Apache-2.0
// flitmend run: the published cross-check, repeatability, limits, bad input.
#include <chrono>
#include <csignal>
#include <thread>

#include "support/netrace_bytes.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Run : public ProgramFixture {};

struct CrossCheck {
  const char* name;
  const char* network;
  const char* load;
  double total, network_latency;  ///< cycles
  double accepted;                ///< flits per node per cycle
  double band;                    ///< relative tolerance of the latencies
};

void PrintTo(const CrossCheck& c, std::ostream* out) {
  *out << c.name;
}

class AgainstBookSim : public Run, public testing::WithParamInterface<CrossCheck> {};

TEST_P(AgainstBookSim, MeanLatenciesAgree) {
  const CrossCheck& c = GetParam();
  ASSERT_EQ(run(std::string(c.network) + "\nrouter: {preset: iq}\ntraffic: {include_self: true, load: " +
                    c.load + "}\nsimulation: {warmup: 3000, measure: 40000}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  const auto s = stats("o");
  EXPECT_NEAR(s["latency"]["total"]["mean"].get<double>(), c.total, c.band * c.total);
  EXPECT_NEAR(s["latency"]["network"]["mean"].get<double>(), c.network_latency, c.band * c.network_latency);
  EXPECT_NEAR(s["traffic"]["accepted"].get<double>(), c.accepted, 0.02 * c.accepted);
}

// [BookSim2] (commit 28f4329), dimension order, 5 flits, 4 VCs of 8 flits, the node itself included; the
// links of a torus take two cycles.
constexpr const char* kMesh8 = "network: {topology: mesh, size: [8, 8]}";
constexpr const char* kMesh4 = "network: {topology: mesh, size: [4, 4]}";
constexpr const char* kMesh16 = "network: {topology: mesh, size: [16, 16]}";
constexpr const char* kTorus8 = "network: {topology: torus, size: [8, 8]}\nlink: {latency: 2}";
INSTANTIATE_TEST_SUITE_P(Loads, AgainstBookSim,
                         testing::Values(CrossCheck{"mesh8_05", kMesh8, "0.05", 37.98, 37.88, .0500, .02},
                                         CrossCheck{"mesh8_10", kMesh8, "0.10", 38.86, 38.64, .1001, .02},
                                         CrossCheck{"mesh8_15", kMesh8, "0.15", 40.19, 39.83, .1502, .02},
                                         CrossCheck{"mesh8_20", kMesh8, "0.20", 41.96, 41.46, .2004, .02},
                                         CrossCheck{"mesh8_25", kMesh8, "0.25", 44.67, 44.01, .2506, .02},
                                         CrossCheck{"mesh8_30", kMesh8, "0.30", 49.21, 48.34, .3009, .04},
                                         CrossCheck{"mesh8_35", kMesh8, "0.35", 58.83, 57.72, .3508, .04},
                                         CrossCheck{"mesh4_05", kMesh4, "0.05", 23.98, 23.86, .0496, .02},
                                         CrossCheck{"mesh4_40", kMesh4, "0.40", 30.08, 28.72, .4024, .04},
                                         CrossCheck{"mesh16_10", kMesh16, "0.10", 68.09, 67.87, .0996, .02},
                                         CrossCheck{"mesh16_15", kMesh16, "0.15", 74.45, 74.10, .1496, .02},
                                         CrossCheck{"torus8_05", kTorus8, "0.05", 35.55, 35.44, .0501, .02},
                                         CrossCheck{"torus8_20", kTorus8, "0.20", 38.03, 37.53, .2002, .02},
                                         CrossCheck{"torus8_30", kTorus8, "0.30", 40.65, 39.79, .3000, .04}),
                         [](const auto& c) { return std::string(c.param.name); });

TEST_F(Run, SaturationThroughputAgreesWithBookSim) {
  ASSERT_EQ(run("network: {topology: mesh, size: [8, 8]}\nrouter: {preset: iq}\n"
                "traffic: {include_self: true, load: 0.55}\n"
                "simulation: {warmup: 3000, measure: 20000, drain: false}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_NEAR(stats("o")["traffic"]["accepted"].get<double>(), .3985, .04 * .3985);
}

TEST_F(Run, TheSameSeedGivesTheSameBytes) {
  const std::string text = "network: {topology: torus, size: [4, 4]}\nsimulation: {measure: 2000, seed: 7}";
  ASSERT_EQ(run(text, {"--out", folder_ / "a"}), 0) << err_;
  ASSERT_EQ(run(text, {"--out", folder_ / "b"}), 0) << err_;
  auto a = stats("a"), b = stats("b");
  a.erase("host");
  b.erase("host");
  EXPECT_EQ(a.dump(), b.dump());
  // The effective configuration is valid: running it again gives the same results.
  ASSERT_EQ(run(folder_.read("a/config.yaml"), {"--out", folder_ / "c"}), 0) << err_;
  auto c = stats("c");
  c.erase("host");
  EXPECT_EQ(a.dump(), c.dump());
  ASSERT_EQ(run(text, {"--out", folder_ / "d", "--set", "simulation.seed=8"}), 0) << err_;
  EXPECT_NE(stats("d")["latency"].dump(), a["latency"].dump());
}

TEST_F(Run, ALimitEndsTheRunWithResultsAndStatus5) {
  EXPECT_EQ(run("simulation: {max_cycles: 3000, measure: 100000}", {"--out", folder_ / "o"}), 5);
  EXPECT_EQ(err_,
            "flitmend: simulation.max_cycles = 3000 reached in cycle 3000; the results are those up to this "
            "cycle\n");
  EXPECT_EQ(stats("o")["simulation"]["cycles"], 3000);
}

TEST_F(Run, CtrlCStopsCleanlyAndKeepsWhatIsThere) {
  const std::string text = "simulation: {measure: 1000000000}";
  ProgramProcess process({"run", folder_.write("c.yaml", text), "--quiet", "--out", folder_ / "o"});
  for (int i = 0; i < 600 && !std::filesystem::exists(folder_ / "o/config.yaml"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5) << process.err();
  EXPECT_NE(process.err().find("flitmend: stopped by a signal in cycle "), std::string::npos)
      << process.err();
  EXPECT_NE(process.out().find("contract     holds"), std::string::npos);
  const auto s = stats("o");
  EXPECT_GT(s["simulation"]["cycles"], 1000);
  EXPECT_EQ(s["messages"]["generated"].get<int>(),
            s["messages"]["delivered"].get<int>() + s["messages"]["in_flight"].get<int>());
}

const char* const kCanDeadlock =
    "network: {topology: torus, size: [4, 4]}\nrouting: {algorithm: tfar}\n"
    "router: {virtual_channels: 1}\ntraffic: {load: 0.9}\n";

TEST_F(Run, RefusesWhatCanDeadlock) {
  EXPECT_EQ(run(kCanDeadlock, {"--out", folder_ / "o"}), 2);
  EXPECT_EQ(err_, "flitmend: " + (folder_ / "c.yaml") +
                      ":2:22: routing.algorithm: tfar on a 4x4 torus with 1 virtual channel, wormhole: can "
                      "deadlock; nothing was run. "
                      "flitmend check says more; --allow-deadlock runs it anyway\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
}

TEST_F(Run, ARingWithoutADatelineIsRefusedOrDeadlocks) {
  const std::string ring =
      "network: {topology: torus, size: [8]}\nrouting: {dateline: none, ties: plus}\n"
      "router: {virtual_channels: 1}\ntraffic: {load: 0.9}\n";
  EXPECT_EQ(run(ring), 2);
  EXPECT_NE(err_.find("virtual channel, wormhole: can deadlock; nothing was run."), err_.npos) << err_;
  EXPECT_EQ(run(ring, {"--allow-deadlock"}), 4);
  EXPECT_NE(err_.find("flitmend: deadlock found in cycle "), err_.npos) << err_;
  EXPECT_NE(
      err_.find("More virtual channels do not prevent it: routing.algorithm dimension-order with "
                "routing.dateline none can deadlock with any number of them. Free of deadlock on an 8-node "
                "ring are: dimension-order with routing.dateline balanced (2 virtual channels), "),
      err_.npos)
      << err_;
  EXPECT_NE(err_.find(", duato (3 virtual channels)"), err_.npos) << err_;
  EXPECT_EQ(err_.find("tfar"), err_.npos) << err_;
}

TEST_F(Run, AllowedToDeadlockItStopsAtADeadlockAndShowsTheCycle) {
  EXPECT_EQ(run(kCanDeadlock, {"--allow-deadlock", "--out", folder_ / "o"}), 4);
  EXPECT_NE(err_.find("flitmend: deadlock found in cycle "), std::string::npos) << err_;
  EXPECT_NE(err_.find(" waits for router_"), std::string::npos) << err_;
  EXPECT_NE(
      err_.find("The results are those up to this cycle. More virtual channels do not prevent it: "
                "routing.algorithm tfar can deadlock with any number of them. Free of deadlock on a 4x4 "
                "torus are: dimension-order (2 virtual channels), "),
      err_.npos)
      << err_;
  const auto s = stats("o");
  EXPECT_LE(s["simulation"]["cycles"], 11000);
  EXPECT_GT(s["messages"]["in_flight"], 0);
}

TEST_F(Run, ADeadlockIsInTheWavesOrTheRunSaysHowToRecordIt) {
  ASSERT_EQ(run(kCanDeadlock, {"--allow-deadlock", "--set", "traffic.message_length=6"}), 4);
  const std::string before = "To record waveforms of what led to it:\n  flitmend run ";
  const auto at = err_.find(before);
  ASSERT_NE(at, err_.npos) << err_;
  const std::string command = err_.substr(at + before.size());
  EXPECT_NE(command.find(" --set traffic.message_length=6 --allow-deadlock --out deadlock --waves "),
            command.npos)
      << command;
  const auto key = [&](const std::string& name) {
    return std::stoi(command.substr(command.find(name) + name.size()));
  };
  const int from = key("waves.from="), to = key("waves.to=");
  EXPECT_LT(from, to);
  ASSERT_EQ(
      run(kCanDeadlock, {"--allow-deadlock", "--set", "traffic.message_length=6", "--out", folder_ / "o",
                         "--waves=fabric.router_0_0", "--set", "waves.from=" + std::to_string(from), "--set",
                         "waves.to=" + std::to_string(to)}),
      4);
  EXPECT_EQ(err_.find(before), err_.npos) << "it has been recorded";
  EXPECT_NE(read_file(folder_ / "o/waves.gtkw").find("deadlock"), std::string::npos);
}

TEST_F(Run, WithDishaItGoesOnAndCountsDeadlocks) {
  const std::string disha = std::string(kCanDeadlock) + "deadlock: {recovery: disha}\n";
  ASSERT_EQ(
      run(disha, {"--out", folder_ / "o", "--set", "traffic.load=0.9", "--set", "simulation.measure=2000"}),
      0)
      << err_;
  const auto s = stats("o");
  EXPECT_EQ(s["messages"]["delivered"], s["messages"]["generated"]);
  const auto& deadlock = s["deadlock"];
  EXPECT_GT(deadlock["deadlocks"].get<int>(), 0);
  EXPECT_GT(deadlock["captures_in_deadlock"].get<int>(), 0);
  EXPECT_LE(deadlock["captures_in_deadlock"], deadlock["captures"]);
  EXPECT_LE(deadlock["recovered_messages"], deadlock["captures"]);
  EXPECT_LE(deadlock["captures"], deadlock["timeouts"]);
  EXPECT_EQ(run(disha, {"--set", "faults.node_rate=1e-4"}), 2);
  EXPECT_NE(err_.find("deadlock.recovery: disha works without faults only"), err_.npos) << err_;
  EXPECT_EQ(run(disha, {"--set", "recovery.protocol=sbrp-1"}), 2);
  EXPECT_NE(err_.find("deadlock.recovery: disha works with recovery.protocol none only"), err_.npos) << err_;
  EXPECT_EQ(run(disha, {"--set", "router.vc_reallocation=on-tail"}), 2);
  EXPECT_EQ(run(disha, {"--set", "deadlock.watchdog=stop"}), 2);
}

TEST_F(Run, AMillionFlitsLeaveEveryNetworkThatReliesOnDisha) {
  const std::pair<const char*, const char*> cases[] = {
      {"tfar", "{topology: mesh, size: [6, 6]}"},
      {"tfar", "{topology: torus, size: [5, 5]}"},
      {"minimal-adaptive", "{topology: hypercube, dimensions: 4}"},
      {"minimum-congestion", "{topology: hypercube, dimensions: 4}"}};
  for (const auto& [algorithm, network] : cases) {
    ASSERT_EQ(run(std::string("network: ") + network + "\nrouting: {algorithm: " + algorithm +
                      "}\nrouter: {virtual_channels: 1}\nnetwork_interface: {injection_limit: alo}\n"
                      "deadlock: {recovery: disha, timeout: 32}\ntraffic: {load: 0.6}\n"
                      "simulation: {warmup: 0, measure: 120000}\n",
                  {"--out", folder_ / "o"}),
              0)
        << err_;
    const auto s = stats("o");
    EXPECT_GE(s["flits"]["consumed"].get<int>(), 1'000'000) << algorithm;
    EXPECT_EQ(s["messages"]["delivered"], s["messages"]["generated"]) << algorithm;
    EXPECT_EQ(s["messages"]["duplicated"].get<int>(), 0);
    EXPECT_GT(s["deadlock"]["captures_in_deadlock"].get<int>(), 0) << algorithm;
    EXPECT_TRUE(s["contract"]["holds"].get<bool>());
  }
}

TEST_F(Run, ACountedDeadlockEndsTheRunOnlyInItsDrain) {
  const std::vector<std::string> options = {"--allow-deadlock", "--out", folder_ / "o", "--set",
                                            "deadlock.watchdog=count"};
  ASSERT_EQ(run(kCanDeadlock, options), 4) << err_;
  const auto s = stats("o");
  EXPECT_GT(s["deadlock"]["deadlocks"].get<int>(), 0);
  EXPECT_EQ(s["simulation"]["measured_cycles"], 10000);
  EXPECT_EQ(s["deadlock"]["timeouts"], 0);
}

// Heads that wait for shadow registers are part of it: the virtual channels that they want are free.
TEST_F(Run, ADeadlockOfHeadsThatWaitForShadowRegistersIsFound) {
  const std::string text =
      "network: {size: [4, 4]}\nrouter: {preset: sbrp, virtual_channels: 2}\nrouting: {algorithm: tfar}\n"
      "traffic: {load: 1.0, message_length: 2}\nrecovery: {protocol: sbrp-0}\n"
      "simulation: {warmup: 0, measure: 10000, max_cycles: 60000, seed: 3}";
  EXPECT_EQ(run(text, {"--allow-deadlock", "--out", folder_ / "o"}), 4);
  EXPECT_NE(err_.find("flitmend: deadlock found in cycle "), std::string::npos) << err_;
}

TEST_F(Run, WithoutAWatchdogADeadlockLastsUntilALimit) {
  EXPECT_EQ(run(std::string(kCanDeadlock) + "deadlock: {watchdog: off}\nsimulation: {max_cycles: 30000}",
                {"--allow-deadlock"}),
            5);
}

// The same routing at a load that it can carry: the watchdog sees no deadlock in long waits.
TEST_F(Run, ALongWaitIsNoDeadlock) {
  EXPECT_EQ(run("traffic: {load: 0.9, message_length: 40}\nrouter: {virtual_channels: 1}\n"
                "simulation: {measure: 20000, drain: false}"),
            0)
      << err_;
}

TEST_F(Run, MinimalRoutingMakesNoDetours) {
  ASSERT_EQ(
      run("network: {size: [4, 4]}\nsimulation: {warmup: 100, measure: 1000}\nstatistics: {detours: true}",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  const auto d = stats("o")["detours"];
  EXPECT_EQ(d["deviation"], 0.0);
  EXPECT_EQ(d["longest"], 0);
  EXPECT_EQ(d["not_delivered"], 0.0);
  EXPECT_TRUE(d["vectors"]["deviation"].is_null()) << "no probability vectors";
}

// Messages of the fabric against the analysis of all pairs, on one set of faults: in a ring a message cannot
// turn back.
TEST_F(Run, ProbabilityVectorsMakeTheDetoursThatTheAnalysisFinds) {
  ASSERT_EQ(run("network: {topology: torus, size: [9]}\nrouting: {algorithm: probability-vectors}\n"
                "router: {preset: iq, virtual_channels: 4, vc_reallocation: atomic}\n"
                "traffic: {load: 0.02, message_length: 2}\nfaults: {static_nodes: [4]}\n"
                "simulation: {warmup: 200, measure: 60000}\nstatistics: {detours: true}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  const auto d = stats("o")["detours"];
  EXPECT_GT(d["vectors"]["not_served"], 0.1) << d;
  EXPECT_NEAR(d["not_delivered"].get<double>(), d["vectors"]["not_served"].get<double>(), 0.03) << d;
  EXPECT_NEAR(d["deviation"].get<double>(), d["vectors"]["deviation"].get<double>(), 1) << d;
}

TEST_F(Run, FaultsCutMessagesAndEveryOneIsAccountedFor) {
  ASSERT_EQ(run("network: {topology: mesh, size: [6, 6]}\n"
                "faults: {node_rate: 2e-4, link_rate: 2e-4, duration: 20, random_static_nodes: 1,\n"
                "         events: [{cycle: 900, node: 7, duration: permanent}]}\n"
                "simulation: {warmup: 500, measure: 3000}",
                {"--out", folder_ / "o", "--waves"}),
            0)
      << err_;
  const auto s = stats("o");
  const auto& m = s["messages"];
  EXPECT_GT(s["faults"]["nodes"], 5);
  EXPECT_GT(s["faults"]["channels"], 10);
  EXPECT_GT(m["hit"], 10);
  EXPECT_GT(m["lost"], 10);
  EXPECT_GT(m["undeliverable"], 0);
  EXPECT_EQ(m["in_flight"], 0);
  EXPECT_EQ(m["generated"].get<int>(), m["delivered"].get<int>() + m["lost"].get<int>() +
                                           m["undeliverable"].get<int>() + m["void"].get<int>());
  EXPECT_EQ(s["contract"]["holds"], true);
  EXPECT_EQ(s["contract"]["credits_missing"], 0);
}

TEST_F(Run, EndToEndRepairsWhatFaultsCut) {
  ASSERT_EQ(run("network: {topology: mesh, size: [6, 6]}\n"
                "faults: {node_rate: 2e-4, link_rate: 2e-4, duration: 20}\n"
                "recovery: {protocol: end-to-end}\n"
                "simulation: {warmup: 500, measure: 3000}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  const auto s = stats("o");
  const auto& m = s["messages"];
  EXPECT_GT(m["hit"], 10);
  EXPECT_EQ(m["lost"], 0);
  EXPECT_EQ(m["undeliverable"], 0);
  EXPECT_EQ(m["generated"], m["delivered"]);
  EXPECT_GT(m["recovered"], 10);
  EXPECT_GT(s["latency"]["corrupted"]["mean"].get<double>(), s["latency"]["total"]["mean"].get<double>());
  EXPECT_GT(s["recovery"]["retransmissions"], 10);
  EXPECT_GE(s["recovery"]["control_messages"], m["delivered"]);
  EXPECT_EQ(run("router: {switching: virtual-cut-through, input_buffer: 2}\ntraffic: {message_length: 2}\n"
                "recovery: {protocol: end-to-end}"),
            2);
  EXPECT_NE(err_.find("router.input_buffer: 2 flits cannot hold the longest message of 3 flits"), err_.npos)
      << err_;
}

TEST_F(Run, RefusesAFaultThatCannotBe) {
  EXPECT_EQ(run("faults: {static_nodes: [[9, 9]]}"), 2);
  EXPECT_NE(err_.find("faults.static_nodes: there is no node [9, 9] in the 8x8 mesh"), err_.npos) << err_;
}

TEST_F(Run, RefusesMoreLoadThanANodeCanInject) {
  EXPECT_EQ(run("traffic: {load: 1.5}"), 2);
  EXPECT_NE(err_.find("traffic.load"), std::string::npos) << err_;
}

TEST_F(Run, RefusesAMessageThatNoBufferHolds) {
  EXPECT_EQ(run("router: {switching: virtual-cut-through, input_buffer: 4}"), 2);
  EXPECT_NE(err_.find("router.input_buffer: 4 flits cannot hold the longest message of 5 flits"),
            std::string::npos)
      << err_;
}

// A message that fits only in the input buffers would wait for the output buffer forever.
TEST_F(Run, RefusesAMessageThatNoOutputBufferHolds) {
  for (const std::string technique : {"virtual-cut-through", "store-and-forward"}) {
    EXPECT_EQ(run("router: {switching: " + technique + ", output_buffer: 2}"), 2);
    EXPECT_EQ(err_,
              "flitmend: " + (folder_ / "c.yaml") + ":1:" + std::to_string(38 + technique.size()) +
                  ": router.output_buffer: 2 flits cannot hold the longest message of 5 flits, as "
                  "router.switching " +
                  technique +
                  " requires; set router.output_buffer to 5 or more, or shorten traffic.message_length\n");
  }
}

TEST_F(Run, RefusesAnOutputFolderWithoutAName) {
  EXPECT_EQ(run("", {"--out", ""}), 2);
  EXPECT_NE(err_.find("--out: the name is empty"), std::string::npos) << err_;
}

TEST_F(Run, RefusesATraceThatIsNone) {
  const std::string trace = folder_.write("t.bz2", "no bzip2");
  EXPECT_EQ(run("traffic: {trace: " + trace + "}"), 2);
  EXPECT_EQ(err_,
            "flitmend: " + (folder_ / "c.yaml") + ":1:18: traffic.trace: trace '" + trace +
                "' is not a bzip2 file: a Netrace file is compressed with bzip2; copy the trace again, or "
                "choose another one\n");
}

class RunTrace : public Run {
 protected:
  /// Runs a trace of 16 nodes with these bytes instead of its two packets.
  int run_packets(const std::string& packets, const std::string& more = "") {
    test::RawHeader header;
    header.packets = 2;
    trace_ = folder_.write("t.bz2", test::bzip2(header.bytes() + packets));
    return run("network: {size: [4, 4]}\ntraffic: {trace: " + trace_ + "}\n" + more,
               {"--out", folder_ / "o"});
  }
  static std::string packet(std::uint8_t type, std::uint32_t id) {
    return test::raw_packet(
        {.cycle = 10, .id = id, .address = 0x1000, .type = type, .source = 1, .destination = 14});
  }
  std::string refusal() const {
    return "flitmend: " + (folder_ / "c.yaml") + ":2:18: traffic.trace: trace '" + trace_ + "' ";
  }
  const std::string two_packets_ = packet(1, 1) + packet(2, 2);
  std::string trace_;
};

TEST_F(RunTrace, ItsPacketsArrive) {
  ASSERT_EQ(run_packets(two_packets_, "statistics: {channels: true}"), 0) << err_;
  const auto s = stats("o");
  EXPECT_EQ(s["messages"]["delivered"], 2);
  std::uint64_t flits = 0;
  for (const auto& channel : s["channels"]) flits += channel["flits"].get<std::uint64_t>();
  EXPECT_GT(flits, 0u) << "a trace is measured to its end";
}

// Found before the run, not when the run reaches it.
TEST_F(RunTrace, CutShortBehindItsHeaderItIsRefused) {
  EXPECT_EQ(run_packets(two_packets_.substr(0, two_packets_.size() - 5)), 2);
  EXPECT_EQ(
      err_,
      refusal() + "is cut short: it ends in packet 2 of 2; copy the trace again, or choose another one\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
}

TEST_F(RunTrace, OfAnotherSizeItIsRefused) {
  EXPECT_EQ(run_packets(two_packets_, "network: {}"), 2);  // given twice
  EXPECT_EQ(run("network: {size: [4, 5]}\ntraffic: {trace: " + trace_ + "}"), 2);
  EXPECT_EQ(err_, refusal() +
                      "has 16 nodes, but the network (4x5 mesh) has 20; use a network of the trace's size\n");
}

// A packet of 72 bytes is 11 flits: if a buffer of 8 flits must hold it, it can never be sent.
TEST_F(RunTrace, ItsLongestMessageMustFitTheBuffers) {
  EXPECT_EQ(run_packets(two_packets_, "router: {switching: virtual-cut-through}"), 2);
  EXPECT_NE(err_.find("router.input_buffer: 8 flits cannot hold the longest message of 11 flits"),
            std::string::npos)
      << err_;
  EXPECT_NE(err_.find("or raise link.flit_bytes"), std::string::npos) << err_;
  EXPECT_EQ(run_packets(two_packets_, "router: {switching: virtual-cut-through, input_buffer: 11}"), 0)
      << err_;
  EXPECT_EQ(stats("o")["messages"]["delivered"], 2);
}

// 10,000 routers above saturation: few cycles per second, and yet the signal takes effect at once.
TEST_F(Run, CtrlCIsHeardInALargeNetwork) {
  const std::string text = "network: {size: [100, 100]}\nsimulation: {measure: 1000000000}";
  ProgramProcess process(
      {"run", folder_.write("c.yaml", text), "--quiet", "--allow-deadlock", "--out", folder_ / "o"});
  for (int i = 0; i < 600 && !std::filesystem::exists(folder_ / "o/config.yaml"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const auto asked = std::chrono::steady_clock::now();
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), 5) << process.err();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(20));
  EXPECT_LT(stats("o")["simulation"]["cycles"], 4096);
}

}  // namespace
}  // namespace flitmend
