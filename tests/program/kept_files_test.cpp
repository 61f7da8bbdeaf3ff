// SPDX-License-Identifier: Apache-2.0
// A run keeps the digests of the files that it has read, and the check that proved it; its report uses both.
#include <chrono>

#include "base/digest.h"
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

std::string graph_of(int routers, bool ring) {
  std::string text = "<graphml><graph edgedefault=\"undirected\">";
  const auto node = [](int i) { return "n" + std::to_string(i); };
  for (int i = 0; i < routers; ++i) text += "<node id=\"" + node(i) + "\"/>";
  for (int i = 0; i + !ring < routers; ++i)
    text += "<edge source=\"" + node(i) + "\" target=\"" + node((i + 1) % routers) + "\"/>";
  return text + "</graph></graphml>";
}

class KeptFiles : public ProgramFixture {
 protected:
  /// The page about a run; skips the test if this build has no plotting library.
  std::string report(const std::string& name) {
    EXPECT_EQ(start({"report", folder_ / name, "-o", "-"}), 0) << err_;
    return out_;
  }
  void SetUp() override {
    ASSERT_EQ(
        run("network: {size: [2, 2]}\nsimulation: {warmup: 0, measure: 10}", {"--out", folder_ / "probe"}),
        0);
    if (start({"report", folder_ / "probe"}) != 0 && err_.find("without the plotting library") != err_.npos)
      GTEST_SKIP() << err_;
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST_F(KeptFiles, AreInTheStatisticsAndComparedByTheReport) {
  const std::string graph = folder_.write("a<b, c.graphml", graph_of(8, false));
  const std::string table = folder_.write("t.csv", "");
  const std::string text = "network: {topology: file, graph: \"" + graph +
                           "\"}\nrouting: {algorithm: table}\nsimulation: {warmup: 0, measure: 100}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
  const auto inputs = stats("o")["host"]["inputs"];
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0]["key"], "network.graph");
  EXPECT_EQ(inputs[0]["path"], graph);
  EXPECT_EQ(inputs[0]["sha256"], sha256(graph_of(8, false)));
  EXPECT_FALSE(stats("probe")["host"].contains("inputs"));

  const std::string before = report("o");
  EXPECT_TRUE(contains(before, "free of deadlock and livelock, every pair has a route"));
  EXPECT_TRUE(contains(before, "The order of the proof"));
  // A ring of eight can deadlock: the page about the line must not say so, nor draw it.
  folder_.write("a<b, c.graphml", graph_of(8, true));
  const std::string after = report("o");
  EXPECT_TRUE(contains(after, "has changed since the run (SHA-256 " + sha256(graph_of(8, false)) + " then)"));
  EXPECT_TRUE(contains(after, "free of deadlock and livelock, every pair has a route"));
  EXPECT_FALSE(contains(after, "can deadlock"));
  EXPECT_FALSE(contains(after, "<figure class=\"drawing\">"));
  std::filesystem::remove(graph);
  EXPECT_TRUE(contains(report("o"), "No such file or directory"));
}

TEST_F(KeptFiles, AReplacedGraphIsCheckedAgain) {
  const std::string graph = folder_.write("a<b.graphml", graph_of(1500, false));
  const std::string text =
      "network: {topology: file, graph: \"" + graph + "\"}\nrouting: {algorithm: table}\n";
  ProgramProcess::Options options;
  options.cache = folder_ / "cache";
  ASSERT_EQ(check(text, {}, options), 0) << err_;
  EXPECT_TRUE(std::filesystem::exists(options.cache + "/flitmend/verdicts")) << "too fast to be kept";
  folder_.write("a<b.graphml", graph_of(1500, true));
  EXPECT_EQ(check(text, {}, options), to_int(ExitStatus::deadlock)) << out_;
}

TEST_F(KeptFiles, TheReportHasTheCheckOfTheRunAndNoneOfItsOwn) {
  const std::string text =
      "network: {size: [160, 160]}\nrouting: {algorithm: dally-aoki-static}\ntraffic: {load: 0.01}\n"
      "simulation: {warmup: 0, measure: 20, hierarchy: compact}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "unproved", "--allow-deadlock"}), 0) << err_;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "unproved/check.txt"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(contains(report("unproved"), "The run kept no verdict"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "the proof takes minutes";

  ASSERT_EQ(
      run("network: {size: [3, 3]}\nsimulation: {warmup: 0, measure: 20}", {"--out", folder_ / "proved"}), 0);
  EXPECT_EQ(check("network: {size: [3, 3]}\nsimulation: {warmup: 0, measure: 20}"), 0);
  EXPECT_EQ(folder_.read("proved/check.txt"), out_);
  folder_.write("proved/check.txt", "kept verdict\n\nkept details\n");
  const std::string page = report("proved");
  EXPECT_TRUE(contains(page, "<p>kept verdict.</p>"));
  EXPECT_TRUE(contains(page, "kept details"));
  EXPECT_FALSE(contains(page, "<figure class=\"drawing\">")) << "it is about something else";
}

}  // namespace
}  // namespace flitmend
