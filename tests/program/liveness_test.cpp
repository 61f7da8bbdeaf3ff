// SPDX-License-Identifier: Apache-2.0
// Every message ends: what a fault does not hit arrives, and no run waits for ever.
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
        Case{"{topology: mesh, size: [4, 4]}", "fault-ring-e-cube", 16}})
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
        if (messages["hit"] == 0 && failed != 0 && failed != nodes - 1)
          EXPECT_EQ(messages["delivered"], messages["created"]) << text << messages;
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
      EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["created"]);
      EXPECT_EQ(stats("o")["recovery"]["timeouts"], 0) << text;
    }
  EXPECT_EQ(run("network: {topology: mesh, size: [2]}\nlink: {latency: 300}\n"
                "recovery: {protocol: fcr, timeout: 400}\n"),
            2);
  EXPECT_NE(err_.find("c.yaml:3:28: recovery.timeout: 400 cycles, but a credit takes 60"), err_.npos) << err_;
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
        EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["created"]) << text;
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

}  // namespace
}  // namespace flitmend
