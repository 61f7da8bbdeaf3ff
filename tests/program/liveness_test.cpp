// SPDX-License-Identifier: Apache-2.0
// Every message ends: what a fault does not hit arrives, and no run waits forever.
#include "base/text.h"
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class Liveness : public ProgramFixture {
 protected:
  /// A pattern of these pairs, as values of section traffic.
  std::string pairs(const std::string& lines) {
    return "pattern: permutation, permutation_file: " + folder_.write("pairs.txt", lines);
  }
};

// While a router far from the head is down, the head has no route; no port of its own router tells when that
// is over.
TEST_F(Liveness, AHeadWithoutARouteAsksAgainAfterEveryRepair) {
  struct Case {
    const char* network;
    const char* routing;
    unsigned nodes;
  };
  for (const auto& [network, routing, nodes] :
       {Case{"{topology: mesh, size: [3]}", "up-down", 3}, Case{"{topology: mesh, size: [4]}", "up-down", 4},
        Case{"{topology: mesh, size: [2, 3]}", "up-down", 6},
        Case{"{topology: mesh, size: [2, 3]}", "su-shin", 6},
        Case{"{topology: mesh, size: [4, 4]}", "fault-ring-e-cube", 16},
        Case{"{topology: kns, k: 4, n: 1, subnetwork: fat-tree, arity: 2}", "hybrid-dor", 4}}) {
    unsigned untouched = 0;
    for (unsigned failed = 0; failed < nodes; ++failed)
      for (const unsigned cycle : {1u, 2u, 5u, 9u}) {
        const std::string text =
            "network: " + std::string(network) +
            "\nrouter: {virtual_channels: 4}\nrouting: {algorithm: " + routing +
            "}\nrecovery: {protocol: none}\ntraffic: {" + pairs("0 " + std::to_string(nodes - 1)) +
            ", message_length: 1, injection: fixed-interval, interval_phase: zero, load: 0.001}\n" +
            "faults: {strike_in_drain: true, events: [{cycle: " + std::to_string(cycle) +
            ", node: " + std::to_string(failed) +
            ", duration: 3}]}\nsimulation: {warmup: 0, measure: 600, max_cycles: 20000}\n";
        ASSERT_EQ(run(text, {"--out", folder_ / "o", "--allow-deadlock"}), 0) << text << err_;
        const auto messages = stats("o")["messages"];
        ASSERT_GE(messages["generated"], 1) << text;
        if (messages["hit"] != 0 || failed == 0 || failed == nodes - 1) continue;
        EXPECT_EQ(messages["delivered"], messages["generated"]) << text << messages;
        ++untouched;
      }
    EXPECT_GT(untouched, 0u) << network << routing;
  }
}

// The unit that counts its wait must not fall asleep while it may not request a virtual channel yet.
TEST_F(Liveness, AHeadWithoutARouteIsTakenOutHoweverLongThePipeline) {
  for (const char* const algorithm : {"up-down", "reliable-router", "su-shin"})
    for (const char* const pipeline :
         {"vc_allocation: 2", "vc_allocation: 3", "routing: 3, vc_allocation: 2"}) {
      const std::string text =
          "network: {size: [5, 3]}\nrouter: {virtual_channels: 5, vc_reallocation: atomic, "
          "pipeline: {" +
          std::string(pipeline) + "}}\nrouting: {head_wait_cycles: 20, algorithm: " + algorithm +
          "}\nfaults: {node_rate: 1e-4, link_rate: 1e-4, duration: 60}\ntraffic: {load: 0.3, "
          "message_length: 1}\nsimulation: {measure: 600, max_cycles: 30000}\n";
      EXPECT_EQ(run(text), 0) << text << err_;
    }
}

// The published Reliable Router routes by the set of all faults. Without a drain before each change it
// deadlocks at the higher rate.
TEST_F(Liveness, TheReliableRouterDeliversEverythingWhileFaultsComeAndGo) {
  for (const char* const rate : {"1e-4", "1e-3"})
    for (const char* const seed : {"1", "2"}) {
      const std::string text = std::string(
                                   "network: {size: [7, 7]}\nrouter: {preset: sbrp, virtual_channels: 5, "
                                   "vc_reallocation: atomic}\nrouting: {algorithm: reliable-router}\n"
                                   "recovery: {protocol: utp}\nfaults: {node_rate: ") +
                               rate +
                               ", duration: 10}\ntraffic: {load: 0.3, message_length: 12}\nsimulation: "
                               "{warmup: 0, measure: 2000, max_cycles: 200000, seed: " +
                               seed + "}\n";
      EXPECT_EQ(check(text), 0);
      EXPECT_NE(out_.find("before reliable-router gets new tables, the sources stop and the network drains"),
                out_.npos)
          << out_;
      ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
      EXPECT_EQ(err_, "");
      EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["generated"]) << text;
      EXPECT_GT(stats("o")["management"]["drain_cycles"], 100) << text;
      if (std::string(rate) == "1e-3") {
        EXPECT_EQ(run(text, {"--set", "routing.reconfiguration=immediate"}), 4) << err_;
      }
    }
}

// A tail that waits for a shadow register has no alternative, unlike a head: whole packets in one virtual
// channel are then not enough for a proof.
TEST_F(Liveness, ShadowRegistersNeedAtomicReallocationWithCutThroughToo) {
  for (const char* const switching : {"virtual-cut-through", "store-and-forward"})
    for (const char* const protocol : {"sbrp-0", "sbrp-1", "sbrp-2", "utp", "none"})
      for (const int output_buffer : {0, 8}) {
        const std::string text = std::string(
                                     "network: {size: [4, 4]}\nrouter: {virtual_channels: 2, "
                                     "input_buffer: 8, switching: ") +
                                 switching + ", output_buffer: " + std::to_string(output_buffer) +
                                 "}\nrouting: {algorithm: duato}\nrecovery: {protocol: " + protocol +
                                 "}\ntraffic: {load: 0.4, message_length: 4}\n"
                                 "simulation: {warmup: 0, measure: 4000, max_cycles: 100000}\n";
        ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
        const bool spreads = std::string(protocol) != "none" && std::string(protocol) != "sbrp-2";
        const int on_tail = run(text, {"--quiet", "--set", "router.vc_reallocation=on-tail"});
        EXPECT_EQ(on_tail, spreads ? 2 : 0) << text << err_;
        if (spreads) {
          EXPECT_NE(err_.find("router.vc_reallocation: on-tail"), err_.npos) << err_;
          EXPECT_NE(err_.find(std::string("recovery.protocol ") + protocol), err_.npos) << err_;
        }
      }
}

// A head that waits too long at a fault in a switch has no interface that could ask for it.
TEST_F(Liveness, SwitchesAskForEveryProtocolThatAsks) {
  for (const char* const protocol : {"sbrp-0", "sbrp-1", "sbrp-2", "utp"})
    for (const char* const preset : {"iq", "sbrp"})
      for (unsigned node = 0; node < 4; ++node) {
        const std::string text =
            std::string("network: {topology: kns, k: 4, n: 1}\nrouter: {preset: ") + preset +
            ", vc_reallocation: atomic, virtual_channels: 2}\nrouting: {algorithm: hybrid-dor}\n"
            "recovery: {protocol: " +
            protocol + ", guard_acknowledgement: off}\nfaults: {events: [{cycle: 50, link: [" +
            std::to_string(node) +
            ", switch_d0], duration: 300}]}\ntraffic: {load: 0.05, message_length: 12}\n"
            "simulation: {warmup: 0, measure: 400, max_cycles: 1000000}\n";
        ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
        const auto messages = stats("o")["messages"];
        EXPECT_EQ(messages["delivered"], messages["generated"]) << text << messages;
      }
}

TEST_F(Liveness, FcrWaitsForCreditsOfLongLinks) {
  for (const char* const preset : {"sbrp", "iq"})
    for (const int latency : {50, 120, 200, 500}) {
      const std::string text = std::string("network: {topology: mesh, size: [2]}\nrouter: {preset: ") +
                               preset + "}\nlink: {latency: " + std::to_string(latency) +
                               "}\nrecovery: {protocol: fcr}\ntraffic: {load: 0.001, message_length: 5}\n"
                               "simulation: {warmup: 0, measure: 2000, max_cycles: 200000}\n";
      ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
      EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["generated"]);
      EXPECT_EQ(stats("o")["recovery"]["timeouts"], 0) << text;
    }
  for (const char* const slow :
       {"network_interface: {injection_latency: 300}", "network_interface: {ejection_latency: 300}",
        "router: {pipeline: {routing: 300}}", "link: {credit_latency: 500}"}) {
    const std::string text = std::string("network: {topology: mesh, size: [2]}\n") + slow +
                             "\nrecovery: {protocol: fcr}\ntraffic: {load: 0.001, message_length: 20}\n"
                             "simulation: {warmup: 0, measure: 2000, max_cycles: 400000}\n";
    ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
    EXPECT_EQ(stats("o")["recovery"]["timeouts"], 0) << text;
  }
  EXPECT_EQ(run("network: {topology: mesh, size: [2]}\nlink: {latency: 300}\n"
                "recovery: {protocol: fcr, timeout: 400}\n"),
            2);
  EXPECT_NE(err_.find("c.yaml:3:36: recovery.timeout: 400 cycles, but a message waits up to 60"), err_.npos)
      << err_;
}

// The wait of a head begins when it may request a virtual channel.
TEST_F(Liveness, AHeadRequestsBeforeItsWaitEnds) {
  for (const char* const protocol : {"sbrp-0", "sbrp-1", "sbrp-2", "utp", "end-to-end"})
    for (const int allocation : {1, 2, 3, 7})
      for (const int wait : {0, 1, 5}) {
        const std::string text =
            "network: {topology: mesh, size: [2, 2]}\nrouter: {virtual_channels: 2, vc_reallocation: atomic, "
            "pipeline: {vc_allocation: " +
            std::to_string(allocation) +
            "}}\nrouting: {algorithm: duato, head_wait_cycles: " + std::to_string(wait) +
            "}\nrecovery: {protocol: " + protocol + "}\nfaults: {static_nodes: [[1, 0]]}\ntraffic: {" +
            pairs("0 3") +
            ", load: 0.02, message_length: 5}\n"
            "simulation: {warmup: 0, measure: 500, max_cycles: 100000}\n";
        ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
        EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["generated"]) << text;
        EXPECT_EQ(stats("o")["messages"]["hit"], 0) << text;
      }
}

// A head that comes back over its circuit has tried the port of its escape channel, and waits for another.
TEST_F(Liveness, AHeadThatCameBackIsTimed) {
  for (int seed = 1; seed <= 6; ++seed) {
    const std::string text =
        "network: {topology: torus, size: [3, 2, 2]}\nrouter: {preset: sbrp, virtual_channels: 3}\n"
        "routing: {algorithm: duato, escape: terminal, misroutes: 1}\nrecovery: {protocol: apcs}\n"
        "faults: {events: [{cycle: 1277, node: [1, 0, 0], duration: 200}]}\n"
        "traffic: {load: 0.5, message_length: 4}\nsimulation: {measure: 475, max_cycles: 60000, seed: " +
        std::to_string(seed) + "}\n";
    EXPECT_EQ(run(text), 0) << text << err_;
  }
}

class Watchdog : public Liveness {};

// Deadlocks in which virtual channels hold copies, close, or have tails at their gates: found, or never
// there.
// The sender goes on at a falling rate; one at a fixed rate runs out of serial numbers after 65,535 restarts.
TEST_F(Liveness, UtpOutlastsAFaultOfManyHeadWaits) {
  ASSERT_EQ(run("network: {size: [3]}\nrouter: {preset: sbrp}\nrouting: {head_wait_cycles: 1}\n"
                "recovery: {protocol: utp}\nfaults: {events: [{node: 1, cycle: 60, duration: 300000}]}\n"
                "traffic: {messages: [{cycle: 100, from: 0, to: 2, length: 6}]}\n",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_EQ(stats("o")["messages"]["delivered"], 1);
  EXPECT_LT(stats("o")["recovery"]["retransmissions"], 500);
}

// A ring of one virtual channel, in which everybody waits for the next.
TEST_F(Liveness, ApcsHeadsThatGoBackNeverWait) {
  const std::string ring =
      "network: {topology: torus, size: [4, 3]}\n"
      "routing: {algorithm: dimension-order, dateline: none, ties: plus}\n"
      "traffic: {messages: [{cycle: 0, from: 0, to: 2, length: 40}, {cycle: 0, from: 1, to: 3, length: 40}, "
      "{cycle: 0, from: 2, to: 0, length: 40}, {cycle: 0, from: 3, to: 1, length: 40}]}\n"
      "simulation: {progress_limit: 100000}\n";
  for (const char* const busy : {"retry", "backtrack"})
    for (const char* const more :
         {"router: {virtual_channels: 1}\nfaults: {static_links: [[0, 4], [1, 5], [2, 6], [3, 7]]}\n",
          "router: {virtual_channels: 1, switching: store-and-forward, input_buffer: 40}\n",
          "router: {virtual_channels: 1, preset: sbrp}\n"}) {
      ASSERT_EQ(
          run(ring + more + "recovery: {protocol: apcs, busy: " + busy + "}\n", {"--out", folder_ / "o"}), 0)
          << more << err_;
      EXPECT_EQ(stats("o")["messages"]["delivered"], 4) << more;
      EXPECT_EQ(stats("o")["messages"]["hit"], 0) << more << "no fault strikes a message";
    }
}

TEST_F(Watchdog, SeesDeadlocksOfProtocolsThatKeepMessages) {
  unsigned found = 0;
  for (const char* const protocol : {"none", "sbrp-0", "sbrp-1", "sbrp-2", "utp"})
    for (const char* const preset : {"iq", "sbrp"})
      for (const int length : {1, 4, 12}) {
        const std::string text =
            "network: {size: [2, 2]}\nrouter: {preset: " + std::string(preset) +
            ", virtual_channels: 1}\nrouting: {algorithm: tfar}\nrecovery: {protocol: " + protocol +
            "}\ntraffic: {load: 0.9, message_length: " + std::to_string(length) +
            "}\nsimulation: {warmup: 0, measure: 30000, max_cycles: 200000}\n";
        const int status = run(text, {"--allow-deadlock"});
        EXPECT_TRUE(status == 0 || status == 4) << status << text << err_;  // not 5, at max_cycles
        found += status == 4;
      }
  EXPECT_GT(found, 5u);
}

TEST_F(Watchdog, SeesARingOfFullBuffersAndTheCopiesInThem) {
  for (const char* const protocol : {"none", "utp"}) {
    const std::string text =
        "network: {topology: torus, size: [4]}\nrouter: {preset: iq, virtual_channels: 1, input_buffer: 4}\n"
        "routing: {algorithm: dimension-order, dateline: none, ties: plus}\nrecovery: {protocol: " +
        std::string(protocol) + "}\ntraffic: {" + pairs("0 2\n1 3\n2 0\n3 1\n") +
        ", message_length: 30, injection: fixed-interval, interval_phase: zero, load: 0.5}\nsimulation: "
        "{warmup: 0, measure: 3000, max_cycles: 100000}\n";
    EXPECT_EQ(run(text, {"--allow-deadlock"}), 4) << protocol << err_;
  }
}

// The next buffer has one free flit; the head in the output buffer needs three.
TEST_F(Watchdog, SeesAHeadInAnOutputBufferWithoutRoomForItsMessage) {
  std::string messages;
  for (unsigned i = 0; i < 20; ++i)
    messages += formatted("{cycle: 0, from: %1%, to: %2%, length: 3}, ", i % 5, (i + 2) % 5);
  for (const char* const switching : {"virtual-cut-through", "store-and-forward"}) {
    const std::string text =
        "network: {topology: torus, size: [5]}\nrouter: {virtual_channels: 1, input_buffer: 4, "
        "output_buffer: "
        "4, vc_reallocation: on-tail, switching: " +
        std::string(switching) + "}\nlink: {latency: 10}\nrouting: {algorithm: tfar}\ntraffic: {messages: [" +
        messages + "]}\nsimulation: {max_cycles: 5000}\n";
    EXPECT_EQ(run(text, {"--allow-deadlock"}), 4) << switching << err_;
  }
}

// T_out takes back what stands still, and a repair gives heads other candidates.
TEST_F(Watchdog, LetsTimersAndRepairsEndABlockade) {
  for (const int duration : {40, 400}) {
    const std::string text =
        "network: {topology: torus, size: [4]}\nrouter: {preset: sbrp, virtual_channels: 1, vc_reallocation: "
        "atomic}\nrouting: {algorithm: up-down}\nrecovery: {protocol: fcr}\ntraffic: {" +
        pairs("0 2\n1 3\n2 0\n") +
        ", message_length: 5, injection: fixed-interval, interval_phase: zero, load: 0.001}\n"
        "faults: {strike_in_drain: true, events: [{cycle: 0, link: [[0], [3]], duration: " +
        std::to_string(duration) + "}]}\nsimulation: {warmup: 0, measure: 100, max_cycles: 300000}\n";
    EXPECT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
  }
}

TEST_F(Watchdog, LetsATimedHeadWait) {
  const std::string text =
      "network: {topology: torus, size: [4, 4]}\nrouter: {preset: sbrp, virtual_channels: 3}\n"
      "routing: {algorithm: duato, misroutes: 1, escape: terminal}\nrecovery: {protocol: sbrp-1}\n"
      "faults: {events: [{cycle: 254, node: [0, 0], duration: 50}, {cycle: 400, node: [1, 0], duration: 10}, "
      "{cycle: 1774, node: [2, 0], duration: 1000}, {cycle: 1985, node: [2, 3], duration: 1000}, {cycle: "
      "2578, "
      "node: [2, 1], duration: 200}]}\ntraffic: {load: 0.5, message_length: 12}\n"
      "simulation: {warmup: 0, measure: 2740, max_cycles: 60000}\n";
  EXPECT_EQ(run(text), 0) << err_;
}

// Each of two messages holds the channel that the other needs last. One gets past if it starts two links
// earlier, which the first random waits after T_out do not reach.
TEST_F(Liveness, MessagesThatStallEachOtherWaitLongerThanTheirLinks) {
  for (const char* const latency : {"60", "150", "300"}) {
    ASSERT_EQ(run("network: {topology: file, graph: " FLITMEND_SOURCE_DIR
                  "/examples/networks/one-way-ring.graphml}\n"
                  "router: {virtual_channels: 1, vc_reallocation: atomic}\nrouting: {algorithm: table}\n"
                  "recovery: {protocol: fcr}\ndeadlock: {recovery: compressionless}\n"
                  "traffic: {messages: [{cycle: 0, from: 1, to: 0, length: 3}, {cycle: 0, from: 3, to: 2, "
                  "length: 3}]}\nsimulation: {max_cycles: 1000000}\nlink: {latency: " +
                      std::string(latency) + "}\n",
                  {"--out", folder_ / "o"}),
              0)
        << latency << err_;
    EXPECT_EQ(stats("o")["messages"]["delivered"], 2);
  }
}

// Its first wait for an answer is 41,000 cycles: 16 of them would take longer than simulation.progress_limit.
TEST_F(Liveness, ASenderWithLongWaitsAsksEarlyWhetherThereIsARoute) {
  ASSERT_EQ(run("network: {size: [6]}\nlink: {latency: 1024}\nrecovery: {protocol: end-to-end}\n"
                "faults: {events: [{cycle: 0, link: [4, 5], duration: permanent}]}\n"
                "traffic: {messages: [{cycle: 20, from: 0, to: 5, length: 5}]}\n",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_EQ(stats("o")["messages"]["undeliverable"], 1);
  EXPECT_LT(stats("o")["simulation"]["cycles"], 1'000'000);
}

// Acknowledgements go back over the path, so tables must not lead over a link whose other direction is dead.
TEST_F(Liveness, PathsGoAroundALinkWithOneDeadDirection) {
  for (const char* const algorithm : {"up-down", "su-shin", "reliable-router"})
    for (const char* const cycle : {"0", "5"}) {
      const std::string text =
          "network: {size: [2, 2]}\nrouter: {virtual_channels: 5, vc_reallocation: atomic}\n"
          "routing: {algorithm: " +
          std::string(algorithm) + "}\nrecovery: {protocol: apcs}\nfaults: {events: [{cycle: " + cycle +
          ", link: [0, 1], duration: permanent, one_way: true}]}\ntraffic: {messages: [{cycle: 20, from: 1, "
          "to: 0, length: 5}, {cycle: 20, from: 0, to: 1, length: 5}]}\n";
      ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << text << err_;
      EXPECT_EQ(stats("o")["messages"]["delivered"], 2) << text;
    }
}

// Copies of messages that have arrived are older than their acknowledgements, and go first in every switch.
TEST_F(Liveness, CopiesDoNotStarveTheAcknowledgementsOfEachOther) {
  folder_.write("graph.graphml",
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph edgedefault=\"undirected\">"
                "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/><node id=\"d\"/>"
                "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\" directed=\"true\"/>"
                "<edge source=\"c\" target=\"b\" directed=\"true\"/><edge source=\"c\" target=\"d\"/>"
                "<edge source=\"d\" target=\"a\" directed=\"true\"/></graph></graphml>");
  ASSERT_EQ(run("network: {topology: file, graph: graph.graphml}\n"
                "router: {virtual_channels: 1, input_buffer: 1, output_buffer: 1, vc_reallocation: atomic, "
                "crossbar: virtual-channel, vc_selection: random, arbitration: oldest-first, pipeline: "
                "{switch_allocation: 2, switch_traversal: 2}}\nlink: {latency: 3, credit_latency: 1}\n"
                "routing: {algorithm: table}\nrecovery: {protocol: end-to-end, timeout: 1}\n"
                "faults: {node_rate: 0.003, duration: 1}\ntraffic: {load: 0.3, message_length: 12}\n"
                "simulation: {warmup: 0, measure: 1500, seed: 623778, max_cycles: 300000}\n",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["generated"]);
}

}  // namespace
}  // namespace flitmend
