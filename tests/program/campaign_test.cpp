// SPDX-License-Identifier: Apache-2.0
// flitmend campaign, as a user starts it.
#include <csignal>
#include <sstream>
#include <thread>

#include "exploration/sweeps/reader.h"
#include "protocols/recovery/registry.h"
#include "support/program_fixture.h"
#include "testbench/exit_status.h"

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
