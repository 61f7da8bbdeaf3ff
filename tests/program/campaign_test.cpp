// SPDX-License-Identifier: Apache-2.0
// flitmend campaign, as a user starts it.
#include <csignal>
#include <sstream>
#include <thread>

#include "exploration/campaign/bounds.h"
#include "exploration/sweeps/reader.h"
#include "protocols/recovery/registry.h"
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class CampaignProgram : public ProgramFixture {
 protected:
  std::vector<std::string> words(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"campaign", folder_ / "c.yaml", "--quiet", "--out", folder_ / name};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

constexpr const char* kSmall =
    "hits: 30\n"
    "runs: 6\n"
    "base: {network: {size: [4, 4]}, routing: {algorithm: duato}, traffic: {load: 0.1, message_length: 8},\n"
    "       simulation: {warmup: 0, measure: 1500}}\n"
    "axes:\n"
    "  - {name: faults, keys: [faults], values: [[{node_rate: 0.001}], [{link_rate: 0.001}]]}\n";

// The quick version of the campaign: every protocol, every kind of fault.
TEST_F(CampaignProgram, FindsNoBrokenContract) {
  EXPECT_EQ(start({"campaign", std::string(FLITMEND_SOURCE_DIR) + "/examples/campaign-quick.yaml", "--quiet",
                   "--out", folder_ / "o"}),
            0)
      << out_ << err_;
  const std::string table = folder_.read("o/bounds.md");
  EXPECT_NE(out_.find(table), out_.npos) << "the table is printed";
  EXPECT_NE(table.find("0 hits failed; 0 more runs broke the contract otherwise."), table.npos) << table;
  for (const RecoveryEntry& protocol : recovery_protocols().entries())
    for (const char* fault : {"node | transient", "node | permanent", "link | transient", "link | permanent"})
      for (const char* phase :
           {"head | one", "body | one", "tail | one", "body | at-once", "absorption | in-sequence"}) {
        if (std::string(fault).ends_with("permanent") && std::string(phase) != "body | one") continue;
        // A padded message has arrived before its tail leaves the source.
        if (protocol.needs.padding && std::string(phase) == "tail | one") continue;
        const std::string row = "| " + std::string(protocol.name) + " | " + fault + " | " + phase + " | ";
        EXPECT_NE(table.find(row), table.npos) << row << "\n" << table;
      }
  EXPECT_NE(table.find("| end-to-end | node | transient | control | one |"), table.npos) << table;
  EXPECT_NE(table.find("| end-to-end | node | transient | retransmission | in-sequence |"), table.npos)
      << table;
}

void wait_for_three_runs(const std::filesystem::path& results) {
  for (int i = 0; i < 1200; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!SweepReader::has_results(results)) continue;
    try {
      if (SweepReader(results).identifiers().size() >= 3) return;
    } catch (const std::exception&) {
      continue;  // not written yet
    }
  }
}

TEST_F(CampaignProgram, ThatWasStoppedBoundsWhatItHasFound) {
  folder_.write("c.yaml", kSmall);
  ProgramProcess process(words("parts", {"--jobs", "1"}));
  wait_for_three_runs(folder_ / "parts");
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(), static_cast<int>(ExitStatus::unfinished));
  EXPECT_FALSE(SweepReader(folder_ / "parts").complete());
  EXPECT_GE(std::stoi(folder_.read("parts/bounds.md")), 3);
}

TEST_F(CampaignProgram, ThatWasKilledIsResumedToTheSameResults) {
  folder_.write("c.yaml", kSmall);
  ASSERT_EQ(start(words("whole")), 0) << err_;
  ProgramProcess process(words("parts", {"--jobs", "1"}));
  wait_for_three_runs(folder_ / "parts");
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(), -SIGKILL);
  EXPECT_FALSE(SweepReader(folder_ / "parts").complete());
  EXPECT_EQ(start(words("parts")), 2) << "without --resume";
  ASSERT_EQ(start(words("parts", {"--resume"})), 0) << err_;
  EXPECT_EQ(folder_.read("parts/bounds.md"), folder_.read("whole/bounds.md"));
  EXPECT_EQ(SweepReader(folder_ / "parts").identifiers(), SweepReader(folder_ / "whole").identifiers());
}

TEST_F(CampaignProgram, OffersToRepeatARunThatDidNotEndWell) {
  std::string text = kSmall;
  text.replace(text.find("measure: 1500"), 13, "measure: 1500, max_cycles: 700");
  folder_.write("c.yaml", text + "protocols: [end-to-end]\n");
  EXPECT_EQ(start(words("o")), 5) << err_;
  const std::string command = "  flitmend run " + (folder_ / "o/replay/run_0.yaml") +
                              " --set statistics.events=true --waves --out " + (folder_ / "o/replay/run_0") +
                              "\n";
  EXPECT_NE(out_.find(command), out_.npos) << out_;
  EXPECT_EQ(start({"run", folder_ / "o/replay/run_0.yaml", "--set", "statistics.events=true", "--waves",
                   "--quiet", "--out", folder_ / "o/replay/run_0"}),
            5)
      << err_;
  const auto repeated = stats("o/replay/run_0");
  const auto first = SweepReader(folder_ / "o").stats(0).value();
  EXPECT_EQ(repeated["hits"], first["hits"]);
  EXPECT_EQ(repeated["messages"], first["messages"]);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "o/replay/run_0/waves.gtkw"));
  EXPECT_GT(folder_.read("o/replay/run_0/events.csv").size(), 100u);
}

constexpr const char* kTiny =
    "hits: 5\nruns: 2\nprotocols: [sbrp-1]\n"
    "base: {network: {size: [3, 3]}, routing: {algorithm: duato}, traffic: {load: 0.1, message_length: 8},\n"
    "       simulation: {warmup: 0, measure: 400, max_cycles: 20000}}\n"
    "axes: [{name: faults, keys: [faults], values: [[{node_rate: 0.002}], [{link_rate: 0.002}]]}]\n";

TEST_F(CampaignProgram, SaysWhichRunsHaveNoResult) {
  std::string text = kTiny;
  text.replace(text.find("measure: 400, max_cycles: 20000"), 31, "measure: 4000000");
  folder_.write("c.yaml", text + "timeout_seconds: 0.01\n");
  EXPECT_EQ(start(words("o")), to_int(ExitStatus::unfinished)) << err_;
  EXPECT_NE(out_.find("\n4 runs have no result, so what they hit is not known and not in the table: 4 "
                      "timed-out.\n"),
            out_.npos)
      << out_;
  // Another campaign that counts this one passes it on.
  folder_.write("c.yaml", std::string(kTiny) + "earlier: [o/bounds.csv]\nfirst_seed: 100\n");
  EXPECT_EQ(start(words("p")), 0) << err_;
  EXPECT_NE(out_.find("\n4 runs have no result, so what they hit is not known and not in the table.\n"),
            out_.npos)
      << out_;
}

TEST_F(CampaignProgram, BoundsHitsInFlightAsFailures) {
  std::string text = kTiny;
  text.replace(text.find("max_cycles: 20000"), 17, "max_cycles: 300");
  text.replace(text.find("hits: 5\nruns: 2"), 15, "hits: 900\nruns: 4");
  folder_.write("c.yaml", text);
  EXPECT_EQ(start(words("o")), to_int(ExitStatus::unfinished)) << err_;
  const std::string said = " hits were in flight when their runs ended. The bounds count them as failed.\n";
  const std::size_t at = out_.find(said);
  ASSERT_NE(at, out_.npos) << out_;
  const FoundBounds found = parse_bounds(folder_.read("o/bounds.csv"), "bounds.csv");
  std::uint64_t in_flight = 0;
  for (const auto& [stratum, count] : found.strata) in_flight += count.in_flight;
  EXPECT_GT(in_flight, 0u);
  EXPECT_EQ(out_.substr(out_.rfind('\n', at) + 1, at - out_.rfind('\n', at) - 1), std::to_string(in_flight));
}

TEST_F(CampaignProgram, CampaignsAreCountedInAChainEachOnce) {
  const auto campaign = [&](const std::string& name, const std::string& more) {
    folder_.write("c.yaml", kTiny + more);
    return start(words(name));
  };
  ASSERT_EQ(campaign("A, first one", ""), 0) << err_;
  ASSERT_EQ(campaign("B", "earlier: [\"A, first one/bounds.csv\"]\nfirst_seed: 100\n"), 0) << err_;
  ASSERT_EQ(campaign("C", "earlier: [B/bounds.csv]\nfirst_seed: 200\n"), 0) << err_;
  const auto bounds = [&](const std::string& name) {
    return parse_bounds(folder_.read(name + "/bounds.csv"), name);
  };
  const FoundBounds a = bounds("A, first one"), b = bounds("B"), c = bounds("C");
  ASSERT_EQ(b.counts.size(), 1u);
  EXPECT_EQ(b.counts[0].name, "A, first one/bounds.csv");
  EXPECT_EQ(b.counts[0].fingerprint, a.fingerprint);
  ASSERT_EQ(c.counts.size(), 2u);
  EXPECT_EQ(c.counts[0].fingerprint, b.fingerprint);
  EXPECT_EQ(c.counts[1].fingerprint, a.fingerprint);
  EXPECT_GT(b.runs, a.runs);
  EXPECT_GT(c.runs, b.runs);
  // Under whatever name, nothing is counted twice.
  folder_.write("copy.csv", folder_.read("A, first one/bounds.csv"));
  EXPECT_EQ(campaign("D", "earlier: [copy.csv, C/bounds.csv]\nfirst_seed: 300\n"), 2);
  EXPECT_NE(err_.find("'C/bounds.csv' counts 'copy.csv' already; remove 'copy.csv'"), err_.npos) << err_;
  EXPECT_EQ(campaign("D", "earlier: [copy.csv, \"A, first one/bounds.csv\"]\nfirst_seed: 300\n"), 2);
  EXPECT_NE(err_.find("has the same results as another"), err_.npos) << err_;
  ASSERT_EQ(campaign("E", "earlier: [copy.csv]\nfirst_seed: 400\n"), 0) << err_;
  EXPECT_EQ(campaign("D", "earlier: [E/bounds.csv, C/bounds.csv]\nfirst_seed: 500\n"), 2);
  EXPECT_NE(err_.find("'E/bounds.csv' and 'C/bounds.csv' both count"), err_.npos) << err_;
  // What is counted is part of what --resume compares.
  folder_.write("c.yaml", kTiny + std::string("earlier: [copy.csv]\nfirst_seed: 100\n"));
  EXPECT_EQ(start(words("B", {"--resume"})), 2) << out_;
}

TEST_F(CampaignProgram, ErrorsAndCommandsCanBeUsedAsTheyAre) {
  folder_.write("c.yaml",
                "base: {network: {size: [3, 3]}, simulation: {measure: 50}}\n"
                "protocols: [sbrp-1]\nruns: 1\naxes:\n"
                "  - {key: routing.algorithm, values: [duato, planar-adaptive]}\n"
                "  - {key: router.virtual_channels, values: [1]}\n");
  start(words("my results"));
  std::size_t places = 0;
  for (std::size_t at = out_.find("c.yaml:"); at != out_.npos; at = out_.find("c.yaml:", at + 1), ++places) {
    const int line = std::stoi(out_.substr(at + 7));
    EXPECT_TRUE(line >= 1 && line <= 6) << out_;
  }
  EXPECT_GT(places, 0u) << out_;
  std::string text = kTiny;
  text.replace(text.find("max_cycles: 20000"), 17, "max_cycles: 300");
  folder_.write("c.yaml", text);
  start(words("more results"));
  EXPECT_NE(out_.find("--out '" + (folder_ / "more results/replay/run_0") + "'\n"), out_.npos) << out_;
}

TEST_F(CampaignProgram, SaysWhatIsWrongWithItsFile) {
  folder_.write("c.yaml", "hits: many\nbase: {}\naxes: [{key: faults.node_rate, values: [2]}]\n");
  EXPECT_EQ(start(words("o")), 2);
  EXPECT_NE(err_.find("c.yaml:1:7: hits: expected"), err_.npos) << err_;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "o"));
  EXPECT_EQ(start({"campaign", "--help"}), 0);
  EXPECT_NE(out_.find("--resume"), out_.npos);
}

}  // namespace
}  // namespace flitmend
