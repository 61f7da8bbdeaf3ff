// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace flitmend {
namespace {

using nlohmann::json;

json answer(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  words.push_back("--json");
  const auto result = run_flitmend(words);
  EXPECT_EQ(result.status, ExitStatus::done) << result.err;
  return json::parse(result.out);
}

/// The program's message for bad input.
std::string complaint(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  const auto result = run_flitmend(words);
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_EQ(result.out, "");
  return result.err;
}

void expect_says(const std::string& text, const std::string& wanted) {
  EXPECT_NE(text.find(wanted), std::string::npos) << text;
}

const std::vector<std::string> kSampled = {"kns-tolerance", "--k", "32",        "--n",  "2",
                                           "--faults",      "10",  "--samples", "2000", "--seed"};

}  // namespace

TEST(AnalyzeKnsTolerance, CountsWhenExhaustive) {
  const json o = answer({"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2", "--exhaustive"});
  EXPECT_EQ(o["combinations"], 153);
  EXPECT_EQ(o["connected"], 144);
  EXPECT_EQ(o["tolerated_0"], 0);
  EXPECT_EQ(o["tolerated_1"], 108);
  EXPECT_EQ(o["tolerated_2"], 144);
  EXPECT_EQ(o["tolerated_2_ci99"], 0);
  EXPECT_EQ(o["pairs_0"].get<int>() + o["pairs_1"].get<int>() + o["pairs_2"].get<int>() +
                o["pairs_unreachable"].get<int>(),
            153 * 72);
}

TEST(AnalyzeKnsTolerance, SharesWhenSampled) {
  auto words = kSampled;
  words.push_back("1");
  const json o = answer(words);
  EXPECT_EQ(o["combinations"], 2000);
  EXPECT_NEAR(o["connected"], .97816674, .015);
  EXPECT_NEAR(o["tolerated_2"], .97816674, .015);
  EXPECT_NEAR(o["pairs_1"], .0188, .0003);
  EXPECT_GT(o["tolerated_2_ci99"], .005);
  EXPECT_LT(o["tolerated_2_ci99"], .012);
  EXPECT_NEAR(o["closed_forms"]["no_isolated_router"], .97816674, 5e-9);
  words.insert(words.end(), {"--jobs", "3"});
  EXPECT_EQ(answer(words), o);
  words = kSampled;
  words.push_back("2");
  EXPECT_NE(answer(words), o);
}

TEST(AnalyzeKnsTolerance, SaysWhatIsNotKnown) {
  const std::vector<std::string> words = {"kns-tolerance", "--k", "32",        "--n", "2",
                                          "--faults",      "1",   "--samples", "1"};
  const json one = answer(words);
  for (const char* key : {"connected_ci99", "tolerated_2_ci99", "tolerated_2_interval99", "pairs_1_ci99"})
    EXPECT_TRUE(one.contains(key) && one[key].is_null()) << key;
  auto text_words = words;
  text_words.insert(text_words.begin(), "analyze");
  expect_says(run_flitmend(text_words).out, "1 random combination, policy");
  expect_says(run_flitmend(text_words).out, "tolerated, 1 intermediate           100.0000 %            n/a");
  // All samples are tolerated: the interval still has a width.
  auto many = words;
  many.back() = "1000";
  const json o = answer(many);
  EXPECT_EQ(o["tolerated_2"], 1);
  EXPECT_GT(o["tolerated_2_ci99"], .006);
  EXPECT_EQ(o["tolerated_2_interval99"][1], 1);
  EXPECT_GT(o["pairs_2_ci99"], .006);
  // Exhaustive: exact.
  const json all = answer({"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2", "--exhaustive"});
  EXPECT_EQ(all["tolerated_1_ci99"], 0);
  EXPECT_EQ(all["tolerated_1_interval99"], json::array({108. / 153, 108. / 153}));
}

TEST(AnalyzeKnsTolerance, SaysHowSmallAnErrorIs) {
  expect_says(complaint({"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2", "--error", "1e-9"}),
              "an error of 1e-09 would take more than 4000000000 samples");
  // 3 of 2048 links of KNS(32, 2) are faulty: a share far below the printed decimals keeps its digits.
  const auto text = run_flitmend(
      {"analyze", "kns-tolerance", "--k", "8", "--n", "6", "--faults", "2", "--samples", "1000"});
  EXPECT_EQ(text.out.find("Closed forms: 0.000000 %"), std::string::npos) << text.out;
}

TEST(AnalyzeKnsTolerance, KeysFollowTheIntermediates) {
  const json o = answer({"kns-tolerance", "--k", "4", "--n", "3", "--faults", "6", "--samples", "50",
                         "--intermediates", "4", "--policy", "minimal-first"});
  for (const char* key : {"tolerated_0", "tolerated_4", "pairs_0", "pairs_4", "tolerated_4_ci99"})
    EXPECT_TRUE(o.contains(key)) << key;
  EXPECT_FALSE(o.contains("pairs_5"));
}

TEST(AnalyzeKnsTolerance, DrawsWhatTheWantedConfidenceTakes) {
  EXPECT_EQ(answer({"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2"})["combinations"], 16588);
  EXPECT_EQ(answer({"kns-tolerance", "--k", "3", "--n", "2", "--faults", "2", "--error", ".05",
                    "--confidence", ".95"})["combinations"],
            385);
}

TEST(AnalyzeKnsTolerance, PrintsATable) {
  const auto text =
      run_flitmend({"analyze", "kns-tolerance", "--k", "3", "--n", "2", "--faults", "2", "--exhaustive"});
  EXPECT_EQ(text.status, ExitStatus::done);
  expect_says(text.out,
              "KNS(3, 2): 9 routers, 18 links; 2 faulty links, all 153 combinations, policy fewest");
  expect_says(text.out, "70.5882 %");  // 108 of 153
}

TEST(AnalyzeKnsTolerance, RefusesBadInput) {
  const auto with = [](std::vector<std::string> more) {
    more.insert(more.begin(), "kns-tolerance");
    return complaint(more);
  };
  expect_says(with({"--k", "3", "--n", "2", "--faults", "19", "--exhaustive"}),
              "faults is 19, but KNS(3, 2) has only 18 links");
  expect_says(with({"--k", "3", "--n", "0", "--faults", "1", "--exhaustive"}),
              "n is 0: a KNS network needs at least 1 dimension");
  expect_says(with({"--k", "100000", "--n", "100000", "--faults", "1", "--samples", "5"}),
              "KNS(100000, 100000) has more than 2147483648 links");
  expect_says(with({"--k", "3", "--n", "2", "--faults=-1", "--exhaustive"}),
              "--faults '-1': expected a whole number from 0 to");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "2", "--samples", "0"}), "samples is 0");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "2", "--samples=-5"}),
              "--samples '-5': expected a whole number from 0 to 18446744073709551615");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "99999999999999999999", "--exhaustive"}),
              "--faults '99999999999999999999': expected a whole number from 0 to 9223372036854775807");
  expect_says(
      with({"--k", "2", "--n", "26", "--faults", "4096", "--samples", "1", "--policy", "minimal-first"}),
      "policy minimal-first supports networks of at most 12 dimensions");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "2", "--confidence", "2"}),
              "confidence is 2; it must be between 0 and 1");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "2", "--error", "nan"}),
              "--error 'nan': expected a number, like 0.01");
  expect_says(with({"--k", "3", "--n", "2", "--faults", "2", "--policy", "fewst"}),
              "--policy 'fewst': expected one of fewest, minimal-first (did you mean 'fewest'?)");
  expect_says(with({"--k", "32", "--n", "2", "--faults", "9", "--exhaustive"}), "too many to visit");
  EXPECT_NE(with({"--k", "3", "--n", "2", "--faults", "2", "--samples", "5", "--exhaustive"}), "");
  EXPECT_NE(with({"--k", "3", "--n", "2", "--faults", "2", "--intermediates", "9"}), "");
}

TEST(AnalyzeKnsTables, ComparesTheForms) {
  const json o = answer({"kns-tables", "--k", "32", "--n", "2", "--fault", "0:0"});
  EXPECT_EQ(o["linear"]["entries_max"], 1024);
  EXPECT_EQ(o["linear"]["entries_mean"], 1024);
  EXPECT_EQ(o["destination"]["entries_max"], 31 * 32);
  // Every entry of a table is one of the 2(k − 1)k pairs over the faulty link.
  EXPECT_DOUBLE_EQ(o["destination"]["entries_mean"], 1984. / 1024);
  EXPECT_EQ(o["masked"]["entries_max"], 33);
  EXPECT_EQ(o["pairs_unreachable"], 0);
}

TEST(AnalyzeKnsTables, DrawsFaultsAndReportsWhatIsUnreachable) {
  const std::vector<std::string> words = {"kns-tables", "--k", "6",        "--n",   "2",
                                          "--faults",   "20",  "--policy", "fewest"};
  const json o = answer(words);
  EXPECT_GT(o["pairs_unreachable"], 0);
  auto threads = words;
  threads.insert(threads.end(), {"--jobs", "2"});
  EXPECT_EQ(answer(threads), o);
}

TEST(AnalyzeKnsTables, SaysThatNothingIsReachable) {
  const auto all = run_flitmend({"analyze", "kns-tables", "--k", "3", "--n", "2", "--faults", "18"});
  EXPECT_EQ(all.status, ExitStatus::done);
  expect_says(all.out,
              "No router reaches another: 72 ordered pairs cannot be reached with 1 intermediate node.");
  const auto one = run_flitmend({"analyze", "kns-tables", "--k", "3", "--n", "2", "--fault", "0:0", "--fault",
                                 "0:1", "--intermediates", "2"});
  expect_says(one.out, "\n16 ordered pairs cannot be reached with 2 intermediate nodes.");
}

TEST(AnalyzeKnsTables, PrintsTheMaskedTableOfARouter) {
  const auto text =
      run_flitmend({"analyze", "kns-tables", "--k", "4", "--n", "2", "--fault", "0:0", "--node", "0"});
  EXPECT_EQ(text.status, ExitStatus::done) << text.err;
  expect_says(text.out, "*.0          plain path");
  expect_says(text.out, "1.*          4");
}

TEST(AnalyzeKnsTables, RefusesBadInput) {
  expect_says(complaint({"kns-tables", "--k", "4", "--n", "2", "--fault", "0-0"}),
              "fault '0-0' is not a link; write ROUTER:DIMENSION, like 12:0");
  expect_says(complaint({"kns-tables", "--k", "4", "--n", "2", "--fault", "16:0"}),
              "link 16:0 is not in KNS(4, 2)");
  expect_says(complaint({"kns-tables", "--k", "4", "--n", "2", "--faults", "33"}),
              "faults is 33, but KNS(4, 2) has only 32 links");
  expect_says(complaint({"kns-tables", "--k", "4", "--n", "2", "--node", "16"}),
              "node 16 is not in KNS(4, 2)");
  expect_says(complaint({"kns-tables", "--k", "4000", "--n", "2"}), "too large for routing tables");
}

}  // namespace flitmend
