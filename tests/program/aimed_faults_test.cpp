// SPDX-License-Identifier: Apache-2.0
// Faults that are aimed at phases of messages.
#include <algorithm>

#include "support/program_fixture.h"

namespace flitmend {
namespace {

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
  const std::string text =
      "network: {size: [5, 5]}\n"
      "recovery: {protocol: sbrp-1}\n"
      "traffic: {load: 0.1}\n"
      "faults: {static_nodes: [[4, 4]], node_rate: 2.0e-4, link_rate: 1.0e-4, duration: 20,\n"
      "         aim: {phases: [control], rate: 0.01},\n"
      "         events: [{cycle: 900, node: [0, 4], duration: permanent}]}\n"
      "statistics: {events: true}\n"
      "simulation: {warmup: 200, measure: 4000}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "a"}), 0) << err_;
  ASSERT_EQ(run(text, {"--out", folder_ / "b"}), 0) << err_;
  EXPECT_EQ(folder_.read("a/events.csv"), folder_.read("b/events.csv"));
  EXPECT_NE(folder_.read("a/events.csv").find(",fault,"), std::string::npos);
}

TEST_F(AimedFaults, AreRefusedWithoutAPhase) {
  EXPECT_EQ(check("network: {size: [4, 4]}\nfaults: {aim: {rate: 0.1}}\n"), 2);
  EXPECT_NE(err_.find(":2:22: faults.aim.phases: faults.aim.rate needs phases; use head, body"), err_.npos)
      << err_;
  EXPECT_EQ(check("network: {size: [4, 4]}\nfaults: {aim: {phases: [heads], rate: 0.1}}\n"), 2);
  EXPECT_NE(err_.find("c.yaml:2:"), err_.npos) << err_;
}

}  // namespace
}  // namespace flitmend
