// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace flitmend {
namespace {

using nlohmann::json;

ProgramResult analyze(std::vector<std::string> more) {
  std::vector<std::string> words = {"analyze", "kary-ncube-model", "--k", "8", "--n", "2"};
  words.insert(words.end(), more.begin(), more.end());
  return run_flitmend(words);
}

json model_answer(std::vector<std::string> more) {
  more.push_back("--json");
  const auto result = analyze(more);
  EXPECT_EQ(result.status, ExitStatus::done) << result.err;
  return json::parse(result.out);
}

const std::vector<std::string> kThreeFaults = {"--length",       "32", "--virtual-channels", "4",
                                               "--faulty-nodes", "3"};

std::vector<std::string> three_faults(std::vector<std::string> more) {
  more.insert(more.begin(), kThreeFaults.begin(), kThreeFaults.end());
  return more;
}

}  // namespace

TEST(AnalyzeKaryNcubeModel, GivesTheDocumentedObject) {
  const json o = model_answer(three_faults({"--rate", "0.004"}));
  EXPECT_NEAR(o["latency"], 63.9025, 5e-5);
  EXPECT_EQ(o["saturated"], false);
  EXPECT_NEAR(o["saturation_rate"], .008827, 5e-7);
  EXPECT_NEAR(o["zero_load"], 43.09375, 1e-9);
  EXPECT_EQ(o["channel_wait"].size(), 2u);
  EXPECT_GT(o["source_wait"], 0);
  EXPECT_GT(o["multiplexing"], 1);
}

TEST(AnalyzeKaryNcubeModel, SaysSaturatedAndNoNumber) {
  const json o = model_answer(three_faults({"--rate", "0.0089"}));
  EXPECT_EQ(o["saturated"], true);
  for (const char* key : {"latency", "channel_wait", "source_wait", "multiplexing", "network_latency"})
    EXPECT_TRUE(o[key].is_null()) << key;
  EXPECT_NEAR(o["saturation_rate"], .008827, 5e-7);
  const auto text = analyze(three_faults({"--rate", "0.0089"}));
  EXPECT_EQ(text.status, ExitStatus::done);
  EXPECT_NE(text.out.find("saturated: there is no mean latency"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("mean message latency"), std::string::npos);
}

TEST(AnalyzeKaryNcubeModel, OptionsReachTheModel) {
  const double defaults = model_answer(three_faults({"--rate", ".004"}))["latency"];
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--sum", "b"},
                                               {"--transit", "Pf"},
                                               {"--variant", "O"},
                                               {"--delay", "10"},
                                               {"--hops", "2.2"},
                                               {"--virtual-channels", "10"}}) {
    std::vector<std::string> words = {"--faulty-nodes", "3", "--rate", ".004"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_NE(model_answer(words)["latency"], defaults) << more[0];
  }
}

TEST(AnalyzeKaryNcubeModel, PrintsACurve) {
  const json o = model_answer({"--curve", "5"});
  ASSERT_EQ(o["curve"].size(), 5u);
  EXPECT_FALSE(o.contains("latency"));
  double before = o["zero_load"];
  for (const json& point : o["curve"]) {
    EXPECT_GT(point["latency"], before);
    before = point["latency"];
  }
  EXPECT_NE(analyze({"--curve", "3"}).out.find("latency, cycles"), std::string::npos);
}

TEST(AnalyzeKaryNcubeModel, RefusesBadInput) {
  const auto says = [](const std::vector<std::string>& words, const std::string& wanted) {
    const auto result = run_flitmend(words);
    EXPECT_EQ(result.status, ExitStatus::bad_usage);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(wanted), std::string::npos) << result.err;
  };
  const std::vector<std::string> tool = {"analyze", "kary-ncube-model"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), tool.begin(), tool.end());
    return more;
  };
  says(with({"--k", "8", "--n", "2"}), "give --rate, or --curve, or both");
  says(with({"--k", "8", "--n", "0", "--rate", ".1"}), "n is 0; it must be 1 to 62");
  says(with({"--k", "8", "--n", "40", "--rate", ".1"}), "a 8-ary 40-cube has more than 2^62 nodes");
  says(with({"--k", "8", "--n", "2", "--rate=-1"}), "rate is -1; it must be a number of messages");
  says(with({"--k", "8", "--n", "2", "--rate", "inf"}), "--rate 'inf': expected a number, like 0.004");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--length", "1e3"}),
       "--length '1e3': expected a whole number from 0 to");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--delay", "nan"}), "--delay 'nan': expected a number");
  says(with({"--k", "8", "--n", "2", "--rate", "nan"}), "--rate 'nan': expected a number");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--faulty-nodes", "63"}),
       "faulty-nodes is 63; it must be 0 to 62");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--sum", "c"}), "--sum 'c': expected one of a, b");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--transit", "pv"}),
       "--transit 'pv': expected one of PV, Pf");
  says(with({"--k", "8", "--n", "2", "--rate", ".1", "--variant", "x"}),
       "--variant 'x': expected one of paper, O");
}

}  // namespace flitmend
