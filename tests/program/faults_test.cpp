// SPDX-License-Identifier: Apache-2.0
// Plans of faults: what is refused, and what a run says before it starts.
#include <filesystem>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

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
  refused("events: [{cycle: 5, node: 3, duration: 0}]",
          "a number of cycles from 1 to 9007199254740992, or permanent");
  refused("duration: 0",
          "faults.duration: expected a number of cycles from 1 to 9007199254740992, or permanent");
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
  ASSERT_EQ(run("network: {size: [4, 4]}\ntraffic: {load: 0.5, message_length: 32}\n"
                "simulation: {warmup: 0, measure: 500}\n"
                "faults: {strike_in_drain: true, events: [{cycle: 501, node: 3, duration: 10}]}",
                {"--out", folder_ / "o"}),
            0)
      << err_;
  EXPECT_GT(stats("o")["simulation"]["cycles"], 520);
  EXPECT_EQ(stats("o")["faults"]["nodes"], 1);
}

TEST_F(FaultPlans, ThatTakeManagementStepsAreCounted) {
  ASSERT_EQ(
      run("network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\n"
          "routing: {algorithm: intermediate-nodes, intermediates: 2, recomputation_cycles: 30}\n"
          "faults: {random_static_links: 3, events: [{cycle: 300, node: 5, duration: permanent}]}\n"
          "traffic: {load: 0.2}\nsimulation: {warmup: 0, measure: 2000}\nrecovery: {protocol: sbrp-1}\n",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  const auto management = stats("o")["management"];
  EXPECT_EQ(management["steps"], 1);
  EXPECT_EQ(management["restarts"], 0);
  EXPECT_EQ(management["recomputation_cycles"], 30);
  EXPECT_GT(management["drain_cycles"], 0);
  EXPECT_GT(management["table_entries"], 0) << "for pairs whose plain path has a dead link";
  EXPECT_GT(management["table_bits"], management["table_entries"]);
}

// What `check` says of faults that strike messages under way, by algorithm and protocol. Runs that drain
// first or that it proves end without a deadlock.
TEST_F(FaultPlans, WithMessagesUnderWayAreChecked) {
  struct Case {
    const char* network;
    const char* faults;
    const char* protocol;
    int status;
    const char* answer;
  };
  const char* const square =
      "network: {size: [3, 3]}\nrouting: {algorithm: up-down, reconfiguration: immediate}\n";
  const char* const line =
      "network: {size: [5]}\nrouting: {algorithm: up-down, reconfiguration: immediate}\n";
  const char* const a_link = "{events: [{cycle: 50, link: [[0, 1], [0, 2]], duration: 20}]}";
  for (const auto& [network, faults, protocol, status, answer] :
       {Case{"network: {size: [3, 3]}\n", "{node_rate: 1e-3}", "sbrp-1", 0, "nothing needed"},
        Case{"network: {topology: kns, k: 4, n: 2}\nrouter: {preset: kns}\nrouting: {algorithm: "
             "intermediate-nodes, intermediates: 2}\n",
             "{events: [{cycle: 50, node: 5, duration: 20}]}", "sbrp-1", 0, "drains first"},
        Case{"network: {size: [3, 3]}\nrouting: {algorithm: up-down}\n", a_link, "sbrp-1", 0, "drains first"},
        Case{"network: {size: [3, 3]}\nrouting: {algorithm: su-shin}\n", "{node_rate: 1e-3}", "fcr", 0,
             "drains first"},
        Case{"network: {size: [3, 3]}\nrouting: {algorithm: fault-ring-e-cube}\n", "{node_rate: 1e-3}",
             "none", 0, "proved"},
        Case{line, "{events: [{cycle: 50, node: 2, duration: 20}]}", "utp", 0, "proved"},
        Case{line, "{node_rate: 1e-3}", "utp", 6, "not proved"},
        Case{square, a_link, "none", 4, "can deadlock"}, Case{square, a_link, "sbrp-1", 4, "can deadlock"},
        Case{square, a_link, "fcr", 0, "can deadlock"}}) {
    const std::string text = std::string(network) + "recovery: {protocol: " + protocol +
                             "}\nfaults: " + faults + "\nsimulation: {warmup: 0, measure: 300}\n";
    EXPECT_EQ(check(text, {"--json"}), status) << text << out_ << err_;
    const auto found = nlohmann::json::parse(out_);
    EXPECT_EQ(found["status"], status);
    EXPECT_EQ(found["network"]["status"], 0) << "each set of faults by itself allows no deadlock";
    EXPECT_EQ(found["fault_changes"]["answer"], answer) << text << found;
    EXPECT_EQ(check(text), status);
    const std::string verdict = found["fault_changes"]["verdict"];
    EXPECT_NE(out_.find("Faults: " + verdict + ".\n"), out_.npos) << out_;
    const int end = run(text);
    EXPECT_EQ(end, end == 4 && status != 0 ? 4 : 0) << text << err_;
    const bool said = err_.find("flitmend: faults: " + verdict) != err_.npos;
    EXPECT_EQ(said, std::string(answer) == "not proved" || std::string(answer) == "can deadlock") << err_;
  }
  const std::string unwatched = std::string(square) + "faults: " + a_link +
                                "\ndeadlock: {watchdog: off}\nsimulation: {warmup: 0, measure: 300, "
                                "max_cycles: 5000}\n";
  EXPECT_EQ(run(unwatched), 2);
  EXPECT_NE(err_.find("deadlock.watchdog: up-down can deadlock when the set of faults changes"), err_.npos)
      << err_;
  EXPECT_NE(run(unwatched, {"--allow-deadlock"}), 2) << err_;
}

// The proof is that of each set of faults. Messages on their way from one to the next can deadlock, and here
// do, unless the network drains first.
TEST_F(FaultPlans, ThatChangeTheRoutesOfMessagesUnderWayAreReported) {
  const auto with = [](const char* reconfiguration) {
    return std::string("network: {size: [5, 5]}\nrouting: {algorithm: su-shin, reconfiguration: ") +
           reconfiguration +
           "}\nrecovery: {protocol: end-to-end}\nsimulation: {warmup: 0, measure: 3000}\n"
           "faults: {node_rate: 1e-2, regions: ['box 1,1:2x2']}";
  };
  EXPECT_EQ(run(with("drain"), {"--out", folder_ / "o"}), 0) << err_;
  EXPECT_EQ(stats("o")["messages"]["delivered"], stats("o")["messages"]["generated"]);
  EXPECT_GT(stats("o")["management"]["steps"], 20);
  const std::string text = with("immediate");
  const std::string note = "su-shin can deadlock when the set of faults changes under messages in flight";
  EXPECT_EQ(check(text), 4) << err_;
  EXPECT_NE(out_.find("Faults: " + note), out_.npos) << out_;
  EXPECT_EQ(run(text), 4);
  EXPECT_EQ(err_.find("flitmend: faults: " + note), 0u) << err_;
  EXPECT_NE(err_.find("The results are those up to this cycle. su-shin routes by the set of all faults."),
            err_.npos)
      << err_;
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

// With that many faults a head of probability-vectors may make 4,200 hops, and has a state for each.
TEST_F(FaultPlans, PairsWithoutARouteAreNotCountedWhereThatWouldTakeMinutes) {
  EXPECT_EQ(run("network: {topology: torus, size: [24, 24]}\nrouting: {algorithm: probability-vectors}\n"
                "router: {virtual_channels: 2, vc_reallocation: atomic}\nfaults: {random_static_nodes: 140}\n"
                "traffic: {load: 0.001}\nsimulation: {warmup: 0, measure: 20}",
                {"--out", folder_ / "o"}),
            0);
  EXPECT_NE(
      err_.find(
          "pairs of healthy nodes that have no route because of the faults from the start are not counted: "
          "with probability-vectors on this network that would take minutes"),
      err_.npos)
      << err_;
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

}  // namespace
}  // namespace flitmend
