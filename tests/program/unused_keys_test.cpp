// SPDX-License-Identifier: Apache-2.0
// Keys without effect are named, with place and reason, and change nothing.
#include "support/program_fixture.h"

namespace flitmend {
namespace {

class UnusedKeys : public ProgramFixture {
 protected:
  /// The note that `run` and `check` print.
  void named_by_both(const std::string& text, const std::string& note) {
    for (const bool runs : {true, false}) {
      const std::string short_run = text + "\nsimulation: {warmup: 0, measure: 40}\n";
      ASSERT_EQ(runs ? run(short_run) : check(short_run), 0) << err_;
      EXPECT_NE(err_.find(note), err_.npos) << note << "\n" << err_;
    }
  }
};

TEST_F(UnusedKeys, OfTrafficAreNamed) {
  named_by_both("traffic: {hotspot_nodes: [3], hotspot_fraction: 0.5}",
                ":1:26: traffic.hotspot_nodes, traffic.hotspot_fraction have no effect with traffic.pattern "
                "uniform; docs/reference.md says when each key has one");
  named_by_both("traffic: {burst_load: 0.5}",
                ":1:23: traffic.burst_load has no effect with traffic.injection bernoulli");
  named_by_both("traffic: {message_length_long: 9}",
                "traffic.message_length_long has no effect with traffic.length_distribution fixed");
  named_by_both("traffic: {permutation_file: nowhere.txt}",
                "traffic.permutation_file has no effect with traffic.pattern uniform");
  named_by_both("traffic: {load: 0, pattern: transpose, injection: poisson}",
                "traffic.pattern, traffic.injection have no effect with traffic.load 0");
  named_by_both("traffic: {trace_region: 0}", "traffic.trace_region has no effect without traffic.trace");
}

TEST_F(UnusedKeys, OfFaultsAreNamed) {
  named_by_both(
      "faults: {at_once: 3, duration: 50}",
      ":1:19: faults.at_once, faults.duration have no effect without faults.node_rate or faults.link_rate");
  named_by_both("faults: {aim: {at_once: 2, most: 3}}",
                "faults.aim.at_once, faults.aim.most have no effect without faults.aim.rate");
  named_by_both("faults: {static_nodes: [3], strike_in_drain: true}",
                "faults.strike_in_drain has no effect without");
  // A key of section faults that has no effect itself makes no faults.
  named_by_both("faults: {duration: 50}\nrouting: {head_wait_cycles: 9}\nstatistics: {hits: true}",
                "routing.head_wait_cycles has no effect without faults and with recovery.protocol none");
  named_by_both(
      "faults: {static_nodes: [3]}\nrouting: {algorithm: tfar, head_wait_cycles: 9}\n"
      "router: {switching: pipelined-circuit, busy: backtrack}",
      "routing.head_wait_cycles has no effect with router.switching pipelined-circuit");
  named_by_both("faults: {duration: 50}\nstatistics: {hits: true}",
                "statistics.hits has no effect without faults");
}

TEST_F(UnusedKeys, OfOtherSectionsAreNamed) {
  named_by_both("waves: {scope: ['*'], from: 3}",
                "waves.scope, waves.from have no effect with waves.enabled false");
  named_by_both("deadlock: {timeout: 9}", "deadlock.timeout has no effect with deadlock.recovery none");
  named_by_both("network_interface: {reinjection_cycles: 5}",
                "network_interface.reinjection_cycles has no effect with routing.algorithm dimension-order");
  ASSERT_EQ(run("link: {flit_bytes: 16}\nnetwork: {size: [2, 2]}\nsimulation: {measure: 20}"), 0) << err_;
  EXPECT_NE(err_.find("link.flit_bytes has no effect without widths in network.graph"), err_.npos) << err_;
}

TEST_F(UnusedKeys, WithWavesOnTheCommandLineHaveAnEffect) {
  ASSERT_EQ(run("network: {size: [2, 2]}\nwaves: {from: 3}\nsimulation: {warmup: 0, measure: 40}",
                {"--waves", "--out", folder_ / "o"}),
            0);
  EXPECT_EQ(err_, "");
}

// `check` judges platforms too.
TEST_F(UnusedKeys, OfPlatformsAreNamedByRun) {
  const std::string text = "tlm: {posted_writes: true}\nnetwork: {size: [2, 2]}\nsimulation: {measure: 20}";
  ASSERT_EQ(run(text), 0);
  EXPECT_NE(err_.find(":1:22: tlm.posted_writes has no effect outside a NetworkOnChip;"), err_.npos) << err_;
  ASSERT_EQ(check(text), 0) << err_;
  EXPECT_EQ(err_, "");
}

TEST_F(UnusedKeys, AimsThatNeverStrikeAreNamed) {
  const auto aim = [&](const std::string& keys, const std::string& protocol, const std::string& more = "") {
    return "network: {size: [3, 3]}\nrecovery: {protocol: " + protocol + "}\nfaults: {aim: {rate: 1e-3, " +
           keys + "}" + more + "}";
  };
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {aim("phases: [control]", "fcr"),
            "faults.aim never strikes: recovery.protocol fcr sends no control messages"},
           {aim("phases: [control, retransmission]", "none"),
            "recovery.protocol none sends no control messages; recovery.protocol none sends nothing again"},
           {aim("phases: [absorption]", "sbrp-1"), "no other fault cuts what could be absorbed"},
           {aim("phases: [absorption], first_hit: true", "sbrp-1", ", node_rate: 1e-3"),
            "first_hit leaves out what a fault has cut"},
           {aim("phases: [head], from: 5000", "sbrp-1"),
            "faults.aim.from is cycle 5000, and no fault strikes after cycle 39"},
           {aim("phases: [head], then: [control]", "none"),
            "faults.aim.then never applies: recovery.protocol none"},
           {aim("phases: [body, tail]", "none") + "\ntraffic: {message_length: 1}",
            "a message of one flit has no body; a message of one flit has no tail"}}) {
    ASSERT_EQ(run(text + "\nsimulation: {warmup: 0, measure: 40}"), 0) << err_;
    EXPECT_NE(err_.find("flitmend: faults: "), err_.npos) << text;
    EXPECT_NE(err_.find(why), err_.npos) << text << "\n" << err_;
  }
  for (const std::string& text : {aim("phases: [head]", "none"), aim("phases: [control, head]", "fcr"),
                                  aim("phases: [absorption]", "none", ", link_rate: 1e-3"),
                                  aim("phases: [retransmission]", "end-to-end")}) {
    ASSERT_EQ(run(text + "\nsimulation: {warmup: 0, measure: 40}"), 0) << err_;
    EXPECT_EQ(err_.find("never"), err_.npos) << err_;
  }
}

// The points of a sweep may share keys that only some of them read.
TEST_F(UnusedKeys, OfASweepAreNamedIfNoPointReadsThem) {
  folder_.write(
      "c.yaml",
      "network: {size: [2, 2]}\nsimulation: {warmup: 0, measure: 20}\ntraffic: {burst_load: 0.5}\n");
  const auto sweep = [&](const std::string& axes) {
    std::filesystem::remove_all(folder_ / "s");
    return start({"sweep", folder_.write("s.yaml", "base: c.yaml\naxes:\n" + axes), "--out", folder_ / "s",
                  "--quiet"});
  };
  ASSERT_EQ(sweep("  - {key: traffic.hotspot_fraction, values: [0.2, 0.4]}\n"), 0) << err_;
  EXPECT_NE(err_.find("traffic.hotspot_fraction has no effect with traffic.pattern uniform"), err_.npos)
      << err_;
  EXPECT_NE(err_.find("c.yaml:3:23: traffic.burst_load has no effect"), err_.npos) << err_;
  ASSERT_EQ(sweep("  - {key: traffic.injection, values: [bernoulli, bursty]}\n"), 0) << err_;
  EXPECT_EQ(err_, "");
}

}  // namespace
}  // namespace flitmend
