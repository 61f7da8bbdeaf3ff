// SPDX-License-Identifier: Apache-2.0
// What stats.json and the report say of how a run ended.
#include <chrono>
#include <csignal>
#include <thread>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

class RunStatus : public ProgramFixture {
 protected:
  std::string outcome() const { return stats("o")["status"]["outcome"]; }
  std::string reason() const { return stats("o")["status"]["reason"]; }
  /// The report on the folder; empty where this build writes none.
  std::string report() {
    if (start({"report", folder_ / "o"}) != 0) return "";
    return folder_.read("o/report.html");
  }
};

TEST_F(RunStatus, Complete) {
  ASSERT_EQ(run("network: {size: [3, 3]}\nsimulation: {measure: 500}", {"--out", folder_ / "o"}), 0) << err_;
  EXPECT_EQ(outcome(), "complete");
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(out_.find("status"), out_.npos) << out_;
  EXPECT_EQ(report().find("The run was cut short"), std::string::npos);
}

TEST_F(RunStatus, ALimitOfCycles) {
  ASSERT_EQ(run("simulation: {max_cycles: 3000, measure: 100000}", {"--out", folder_ / "o"}), 5);
  EXPECT_EQ(outcome(), "limit");
  EXPECT_EQ(reason(), "simulation.max_cycles = 3000 reached in cycle 3000");
  EXPECT_EQ(out_.find("status       cut short: simulation.max_cycles = 3000 reached in cycle 3000\n"), 0u)
      << out_;
  if (const std::string html = report(); !html.empty()) {
    EXPECT_NE(html.find("The run was cut short (limit): simulation.max_cycles = 3000 reached"), html.npos);
  }
}

TEST_F(RunStatus, StatisticsOfARunThatIsCutShort) {
  const auto channels_until = [&](const std::string& cycle) {
    EXPECT_EQ(run("network: {size: [3, 3]}\nstatistics: {channels: true}\n"
                  "simulation: {warmup: 200, measure: 1000, max_cycles: " +
                      cycle + "}",
                  {"--out", folder_ / "o"}),
              5);
    return stats("o")["channels"];
  };
  for (const auto& channel : channels_until("100")) {  // in the warm-up
    EXPECT_EQ(channel["flits"], 0);
    EXPECT_TRUE(channel["utilisation"].is_null());
  }
  for (const auto& channel : channels_until("700")) {  // in the window
    EXPECT_GT(channel["flits"], 0);
    EXPECT_DOUBLE_EQ(channel["utilisation"].get<double>(), channel["flits"].get<double>() / 500);
  }
}

TEST_F(RunStatus, ALimitOfTime) {
  ASSERT_EQ(run("simulation: {time_limit_seconds: 0.3, measure: 1000000000}", {"--out", folder_ / "o"}), 5);
  EXPECT_EQ(outcome(), "limit");
  EXPECT_EQ(reason().find("simulation.time_limit_seconds = 0.3 reached in cycle "), 0u) << reason();
}

// Without a limit this check takes far longer than the test waits.
TEST_F(RunStatus, ALimitOfTimeForTheProof) {
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(run("network: {size: [4096, 3]}\nsimulation: {time_limit_seconds: 0.001}",
                {"--out", folder_ / "o", "--no-cache"}),
            5);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
  EXPECT_NE(
      err_.find("simulation.time_limit_seconds = 0.001 reached in the proof that the network is free of "
                "deadlock; nothing was run."),
      err_.npos)
      << err_;
}

// Its saturated sources fill the memory. The run ends in a whole cycle, so no flit is missing.
TEST_F(RunStatus, OutOfMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes more memory than this limit";
#endif
  ProgramProcess::Options options;
  options.memory_limit = 170'000'000;
  ASSERT_EQ(run("network: {size: [16, 16]}\ntraffic: {load: 0.9}\nsimulation: {measure: 10000000}",
                {"--out", folder_ / "o"}, options),
            5)
      << err_;
  EXPECT_EQ(outcome(), "limit");
  EXPECT_EQ(reason().find("out of memory in cycle "), 0u) << reason();
  EXPECT_NE(err_.find(reason() + "; the results are those up to this cycle. Lower traffic.load"), err_.npos)
      << err_;
  EXPECT_TRUE(stats("o")["contract"]["holds"]);
}

TEST_F(RunStatus, ADeadlock) {
  ASSERT_EQ(run("network: {topology: torus, size: [4, 4]}\nrouter: {virtual_channels: 1}\n"
                "routing: {algorithm: tfar}\ntraffic: {load: 0.9}",
                {"--out", folder_ / "o", "--allow-deadlock"}),
            4);
  EXPECT_EQ(outcome(), "deadlock");
  EXPECT_EQ(reason().find("deadlock found in cycle "), 0u) << reason();
  EXPECT_NE(err_.find(reason()), err_.npos) << err_;
}

// A deadlock that nobody looks for.
TEST_F(RunStatus, ALimitWithoutProgress) {
  const std::string stuck =
      "network: {topology: torus, size: [4, 4]}\nrouter: {virtual_channels: 1}\nrouting: {algorithm: tfar}\n"
      "traffic: {load: 0.9}\ndeadlock: {watchdog: off}\n";
  ASSERT_EQ(run(stuck + "simulation: {progress_limit: 3000}", {"--out", folder_ / "o", "--allow-deadlock"}),
            5)
      << err_;
  EXPECT_EQ(outcome(), "limit");
  EXPECT_EQ(reason().find("no message has arrived or been abandoned for 3000 cycles"), 0u) << reason();
  EXPECT_NE(err_.find(reason()), err_.npos) << err_;
  EXPECT_LT(stats("o")["simulation"]["cycles"], 30000);
}

// A collective is stuck in a ring of one-way links, and a flow between two other nodes goes on.
TEST_F(RunStatus, OtherFlowsDoNotCountAsProgressOfACollective) {
  folder_.write(
      "ring.graphml",
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"directed\">"
      "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><node id=\"d\"/><node id=\"e\"/><node id=\"f\"/>"
      "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/><edge source=\"c\" target=\"d\"/>"
      "<edge source=\"d\" target=\"a\"/><edge source=\"a\" target=\"e\"/><edge source=\"e\" target=\"a\"/>"
      "<edge source=\"e\" target=\"f\"/><edge source=\"f\" target=\"e\"/></graph></graphml>");
  ASSERT_EQ(run("network: {topology: file, graph: ring.graphml}\nrouter: {virtual_channels: 1}\n"
                "routing: {algorithm: table}\ndeadlock: {watchdog: off}\n"
                "traffic:\n  groups: {ring: [0, 1, 2, 3]}\n"
                "  collectives: [{collective: all-to-all, group: ring, bytes: 4000, repetitions: 1000}]\n"
                "  flows: [{from: 4, to: 5, rate: 0.1, length: 8}]\n"
                "simulation: {progress_limit: 3000}",
                {"--out", folder_ / "o", "--allow-deadlock"}),
            5)
      << err_;
  EXPECT_EQ(reason().find("no message of the collectives has arrived or been abandoned for 3000 cycles"), 0u)
      << reason();
  EXPECT_LT(stats("o")["simulation"]["cycles"], 30000);
}

// Faults that strike faster than new tables are computed: the network drains again and again.
TEST_F(RunStatus, FaultsFasterThanTheirRepair) {
  ASSERT_EQ(run("network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\n"
                "routing: {algorithm: intermediate-nodes, recomputation_cycles: 2000}\n"
                "recovery: {protocol: end-to-end}\n"
                "faults: {link_rate: 1e-3, duration: 50, strike_in_drain: true}\n"
                "simulation: {warmup: 0, measure: 1000, progress_limit: 100000}",
                {"--out", folder_ / "o", "--allow-deadlock"}),
            5)
      << err_;
  EXPECT_EQ(outcome(), "limit");
}

// Random faults strike as long as a workload lasts that runs to its end.
TEST_F(RunStatus, RandomFaultsThatStrikeForTheRestOfTheRun) {
  ASSERT_EQ(run("network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\n"
                "routing: {algorithm: intermediate-nodes, recomputation_cycles: 2000}\n"
                "recovery: {protocol: end-to-end}\nfaults: {link_rate: 1e-3, duration: 50}\n"
                "traffic: {messages: [{cycle: 0, from: 0, to: 3, length: 4}, {cycle: 600, from: 0, to: 8, "
                "length: 4}]}\n"
                "simulation: {progress_limit: 100000}",
                {"--out", folder_ / "o"}),
            5)
      << err_;
  EXPECT_EQ(outcome(), "limit");
  EXPECT_NE(err_.find("raise simulation.progress_limit"), err_.npos) << err_;
}

// A receiver keeps the first part of a message that its sender has abandoned, in case the rest comes.
TEST_F(RunStatus, OnlyRecoveryUnitsAreBusy) {
  ASSERT_EQ(run("network: {size: [3]}\nrouter: {virtual_channels: 1, vc_reallocation: atomic}\n"
                "recovery: {protocol: utp, ask_timeout: 10000}\n"
                "faults: {events: [{cycle: 20, link: [0, 1], duration: permanent}]}\n"
                "traffic: {messages: [{cycle: 0, from: 0, to: 2, length: 20}]}\n"
                "simulation: {progress_limit: 1000000}\n",
                {"--out", folder_ / "o"}),
            5)
      << err_;
  EXPECT_EQ(reason().find("every message has ended, but recovery units have been busy for 1000000 cycles"),
            0u)
      << reason();
}

TEST_F(RunStatus, ARepairThatIsCertainToComeIsAwaited) {
  ASSERT_EQ(run("network: {size: [3, 3]}\nrecovery: {protocol: sbrp-1}\nrouter: {preset: sbrp}\n"
                "faults: {events: [{link: [[0, 0], [1, 0]], cycle: 300, duration: 200000}]}\n"
                "simulation: {warmup: 0, measure: 1000, progress_limit: 5000}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_GT(stats("o")["simulation"]["cycles"], 200000);
}

TEST_F(RunStatus, AllNodesDieBeforeTheFirstMessage) {
  ASSERT_EQ(
      run("network: {size: [2]}\nfaults: {events: [{cycle: 1, node: 0, duration: permanent}, {cycle: 1, "
          "node: 1, duration: permanent}]}\ntraffic: {messages: [{cycle: 20, from: 0, to: 1, length: 5}]}\n",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  EXPECT_LT(stats("o")["simulation"]["cycles"], 100);
}

TEST_F(RunStatus, ASignal) {
  ProgramProcess process({"run", folder_.write("c.yaml", "simulation: {measure: 1000000000}"), "--quiet",
                          "--out", folder_ / "o"});
  for (int i = 0; i < 600 && !std::filesystem::exists(folder_ / "o/config.yaml"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(), 5) << process.err();
  EXPECT_EQ(outcome(), "interrupted");
  EXPECT_EQ(reason().find("stopped by a signal in cycle "), 0u) << reason();
}

}  // namespace
}  // namespace flitmend
