// SPDX-License-Identifier: Apache-2.0
// Recovery protocols in the program: what they need, and what they repair.
#include <filesystem>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

class RecoveryProtocols : public ProgramFixture {};

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
           "node next to it; use sbrp-2 or end-to-end"));
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
  EXPECT_EQ(repaired, 1);
  // Without the guard such a message is lost, and the run says so. It is one of another run, because senders
  // that learn of no delivery answer more requests, and messages take other courses.
  ASSERT_EQ(run(text("off", 7), {"--out", folder_ / "off"}), 3) << err_;
  EXPECT_EQ(stats("off")["messages"]["lost"], 1);
  const std::string events = folder_.read("off/events.csv");
  EXPECT_NE(events.find(",lost,,,router_1_5,8,router_4_0,12,230,"), events.npos) << events;
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

// Router 2 fails with the head of a message of 20 flits, more than Max(C, A), before any flit has reached the
// receiver. Router 1 absorbs the rest, and its node is to ask. If the node dies permanently while it still
// composes the request, nobody else knows of the message.
class ARequestOfADeadNode : public ProgramFixture {
 protected:
  static constexpr int kFirst = 18, kLast = 25, kReached = 30;  // cycles after which router 2 fails

  /// Runs it. `dies`: the node that dies 100 cycles later.
  nlohmann::ordered_json messages(int cycle, int dies, const char* guard) {
    const std::string fails = std::to_string(cycle), later = std::to_string(cycle + 100);
    EXPECT_EQ(run("network: {size: [4, 2]}\nrouting: {algorithm: up-down}\nrecovery: {protocol: sbrp-1, "
                  "guard_acknowledgement: " +
                      std::string(guard) +
                      ", overhead: {compose: 200}}\ntraffic: {messages: [{cycle: 10, from: 0, to: 3, length: "
                      "20}]}\nfaults: {events: [{cycle: " +
                      fails + ", node: 2, duration: 10}, {cycle: " + later +
                      ", node: " + std::to_string(dies) + ", duration: permanent}]}\n",
                  {"--out", folder_ / "o"}),
              0)
        << fails << out_ << err_;
    EXPECT_TRUE(stats("o")["contract"]["holds"]);
    EXPECT_EQ(stats("o")["messages"]["hit"], 1);
    return stats("o")["messages"];
  }
};

TEST_F(ARequestOfADeadNode, IsWhatAMessageMayBeLostWith) {
  for (int cycle = kFirst; cycle <= kLast; ++cycle) {
    EXPECT_EQ(messages(cycle, 1, "off")["lost"], 1) << cycle;
    EXPECT_EQ(stats("o")["recovery"]["control_messages"], 0) << "nobody has asked";
  }
}

TEST_F(ARequestOfADeadNode, IsNotMissedIfTheReceiverKnowsOfTheMessage) {
  EXPECT_EQ(messages(kReached, 1, "off")["delivered"], 1);
}

TEST_F(ARequestOfADeadNode, IsSentIfAnotherNodeDies) {
  for (int cycle = kFirst; cycle <= kLast; ++cycle)
    EXPECT_EQ(messages(cycle, 5, "off")["delivered"], 1) << cycle;
}

TEST_F(ARequestOfADeadNode, IsMadeUpForByTheGuard) {
  for (int cycle = kFirst; cycle <= kLast; ++cycle) {
    EXPECT_EQ(messages(cycle, 1, "assumed")["delivered"], 1) << cycle;
    EXPECT_EQ(stats("o")["recovery"]["guard_repaired"], 1) << cycle;
  }
}

}  // namespace
}  // namespace flitmend
