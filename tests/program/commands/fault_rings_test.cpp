// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace flitmend {
namespace {

using Answer = nlohmann::json;

ProgramResult fault_rings(std::vector<std::string> words) {
  words.insert(words.begin(), {"analyze", "fault-rings"});
  return run_flitmend(words);
}

}  // namespace

TEST(AnalyzeFaultRings, AnswersInJson) {
  const auto result = fault_rings({"--mesh", "7x8x11", "--box", "2,2,2:2x1x3", "--json"});
  ASSERT_EQ(result.status, ExitStatus::done) << result.err;
  const Answer json = Answer::parse(result.out);
  EXPECT_NEAR(json["p_hit"], .664474, 5e-7);
  EXPECT_NEAR(json["p_miss"], 1 - .664474, 5e-7);
  EXPECT_EQ(json["region"], "ring");
  EXPECT_EQ(json["kind"], "f-ring");
  EXPECT_EQ(json["fault_nodes"], 6);
  EXPECT_EQ(json["ring_nodes"], 54);
  EXPECT_EQ(json["links"], 1627);
  const double total = json["paths_total"], missing = json["paths_missing"];
  EXPECT_NEAR(missing / total, 1 - .664474, 5e-7);
  const Answer fault = Answer::parse(
      fault_rings({"--mesh", "7x8x11", "--box", "2,2,2:2x1x3", "--region", "fault", "--json"}).out);
  EXPECT_NEAR(fault["p_hit"], .213967, 5e-7);
  EXPECT_EQ(fault["region"], "fault");
}

TEST(AnalyzeFaultRings, TakesBoxesAndNodesTogether) {
  const Answer json = Answer::parse(
      fault_rings({"--mesh", "6x6", "--box", "1,1:3x1", "--node", "3,2", "--box", "1,1:1x1", "--json"}).out);
  EXPECT_NEAR(json["p_hit"], .942110, 5e-7);
  EXPECT_EQ(json["fault_nodes"], 4);
}

TEST(AnalyzeFaultRings, BothMethodsGiveTheSameDigits) {
  const auto sweep = fault_rings({"--mesh", "3x5x7", "--box", "0,0,1:2x2x2", "--json"});
  const auto determinant =
      fault_rings({"--mesh", "3x5x7", "--box", "0,0,1:2x2x2", "--method", "determinant", "--json"});
  EXPECT_EQ(sweep.out, determinant.out);
  EXPECT_EQ(Answer::parse(sweep.out)["kind"], "f-chain");
}

TEST(AnalyzeFaultRings, WritesEveryDigitOfALargeCount) {
  const auto result = fault_rings({"--mesh", "300x300", "--node", "7,7", "--jobs", "1", "--json"});
  const std::size_t at = result.out.find("\"paths_total\": ") + 15;
  const std::string digits = result.out.substr(at, result.out.find(',', at) - at);
  EXPECT_GT(digits.size(), 180u);
  EXPECT_EQ(digits.find_first_not_of("0123456789"), std::string::npos) << digits;
}

TEST(AnalyzeFaultRings, EstimatesBesideTheExactValue) {
  const auto one = fault_rings({"--mesh", "12x12", "--box", "4,4:3x2", "--monte-carlo", "20000", "--seed",
                                "5", "--jobs", "1", "--json"});
  const auto two = fault_rings({"--mesh", "12x12", "--box", "4,4:3x2", "--monte-carlo", "20000", "--seed",
                                "5", "--jobs", "2", "--json"});
  EXPECT_EQ(one.out, two.out);
  const Answer json = Answer::parse(one.out);
  EXPECT_EQ(json["monte_carlo"]["samples"], 20000);
  EXPECT_NEAR(json["monte_carlo"]["p_hit"], json["p_hit"], .02);
}

TEST(AnalyzeFaultRings, KnowsNoIntervalOfOnePath) {
  const auto json =
      Answer::parse(fault_rings({"--mesh", "12x12", "--box", "4,4:3x2", "--monte-carlo", "1", "--json"}).out);
  EXPECT_TRUE(json["monte_carlo"]["p_hit_ci95"].is_null());
  EXPECT_TRUE(json["monte_carlo"]["p_hit_interval95"].is_null());
  const auto text = fault_rings({"--mesh", "12x12", "--box", "4,4:3x2", "--monte-carlo", "1"});
  EXPECT_NE(text.out.find("95 % interval n/a, 1 path\n"), std::string::npos) << text.out;
  const auto many = Answer::parse(
      fault_rings({"--mesh", "3x3", "--node", "1,1", "--monte-carlo", "100", "--json"}).out)["monte_carlo"];
  EXPECT_EQ(many["p_hit"], 1.0);
  EXPECT_EQ(many["p_hit_interval95"][1], 1.0);
  EXPECT_LT(many["p_hit_interval95"][0], .97);
  EXPECT_NEAR(many["p_hit_ci95"].get<double>(), 1 - many["p_hit_interval95"][0].get<double>(), 1e-15);
}

TEST(AnalyzeFaultRings, CountsInTheSingularAndShowsSmallShares) {
  const auto one = fault_rings({"--mesh", "2x1", "--node", "0,0"}).out;
  EXPECT_NE(one.find("2x1, 2 nodes, 1 link\n"), std::string::npos) << one;
  EXPECT_NE(one.find("1 node, 1 region: 1 block\n"), std::string::npos) << one;
  EXPECT_NE(one.find("1 node, f-chain\n"), std::string::npos) << one;
  const auto corner = fault_rings({"--mesh", "60x60", "--node", "59,0", "--region", "fault"}).out;
  EXPECT_EQ(corner.find("P_hit           0.000000"), std::string::npos) << corner;
  const auto two = fault_rings({"--mesh", "9x9", "--node", "1,1", "--node", "7,7"}).out;
  EXPECT_NE(two.find("2 regions: 2 blocks\n"), std::string::npos) << two;
}

TEST(AnalyzeFaultRings, PrintsATable) {
  const auto result = fault_rings({"--mesh", "7x8x11", "--box", "2,2,2:2x1x3"});
  EXPECT_NE(result.out.find("7x8x11, 616 nodes, 1627 links"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("6 nodes, 1 region: 1 block"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("54 nodes, f-ring"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("0.664474"), std::string::npos) << result.out;
}

TEST(AnalyzeFaultRings, CountsEveryPair) {
  const auto text = fault_rings({"--mesh", "3x3", "--node", "1,1", "--region", "fault", "--per-pair"});
  EXPECT_NE(text.out.find("of a pair       P_hit 0.380952, mean of 56 pairs\n"
                          "pairs           never 42.86 %, always 7.14 %\n"),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("P_hit 0.6 to 0.7: 35.71 %\n"), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("n/a"), std::string::npos) << text.out;
}

TEST(AnalyzeFaultRings, SurveysRandomPatterns) {
  const auto text = fault_rings({"--mesh", "6x6", "--faulty-nodes", "1,4", "--patterns", "50"});
  EXPECT_EQ(text.status, ExitStatus::done) << text.err;
  EXPECT_NE(
      text.out.find("mesh 6x6, 50 random patterns for each number of faulty nodes: 1 region of shape block; "
                    "a path meets faulty nodes or their ring\n"),
      std::string::npos)
      << text.out;
  // One faulty node in the only place that touches no border, and its ring.
  const Answer one = Answer::parse(
      fault_rings({"--mesh", "3x1x1", "--faulty-nodes", "1", "--patterns", "10", "--json"}).out);
  EXPECT_EQ(one["by_faulty_nodes"][0]["f_rings"], 0);
  EXPECT_EQ(one["by_faulty_nodes"][0]["of_pairs"]["always"], 1.0) << "the other end of the line is the ring";
}

TEST(AnalyzeFaultRings, RefusesBadInput) {
  const auto refused = [](std::vector<std::string> words, const std::string& message) {
    const auto result = fault_rings(std::move(words));
    EXPECT_EQ(result.status, ExitStatus::bad_usage);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  };
  refused({"--mesh", "7x0x3", "--node", "0,0,0"}, "mesh 7x0x3: dimension 2 has size 0");
  refused({"--mesh", "", "--node", "0"}, "--mesh '': expected whole numbers with 'x' between them");
  refused({"--mesh", "7x-1", "--node", "0,0"}, "--mesh '7x-1': expected whole numbers");
  refused({"--mesh", "7x99999999999", "--node", "0,0"},
          "--mesh '7x99999999999': 99999999999 is too large; numbers are at most 4294967295");
  refused({"--mesh", "7x99999999999z", "--node", "0,0"}, "whole numbers");
  refused({"--mesh", "7x4294967296", "--node", "0,0"}, "4294967296 is too large");
  refused({"--mesh", "7x4294967295", "--node", "0,0"}, "more than 2^26 nodes; make it smaller");
  refused({"--mesh", "7x7", "--node", "3"}, "fault node 3: it must have the 2 dimensions");
  refused({"--mesh", "7x7", "--box", "1,1"},
          "--box '1,1': expected an origin and a size with ':' between them");
  refused({"--mesh", "7x7", "--box", "1,1:7x1"}, "outside the 7x7 mesh");
  refused({"--mesh", "7x7", "--box", "0,0:7x7"}, "every node of the 7x7 mesh is faulty");
  refused({"--mesh", "7x7", "--box", "0,3:7x1"}, "the faults disconnect the healthy nodes");
  refused({"--mesh", "7x7"}, "no fault given");
  refused({"--mesh", "7x7", "--node", "1,1", "--node", "2,2", "--convex"}, "is not convex");
  refused({"--mesh", "7x7", "--node", "1,1", "--method", "guess"}, "--method");
  refused({"--mesh", "7x7", "--node", "1,1", "--faulty-nodes", "2"}, "--faulty-nodes excludes --node");
  refused({"--mesh", "7x7", "--faulty-nodes", "2", "--monte-carlo", "5"}, "excludes");
  refused({"--mesh", "7x7", "--faulty-nodes", "2", "--per-pair"}, "excludes");
  refused({"--mesh", "7x7", "--node", "1,1", "--shape", "block"}, "--shape requires --faulty-nodes");
  refused({"--mesh", "7x7", "--node", "1,1", "--patterns", "9"}, "--patterns requires --faulty-nodes");
  refused({"--mesh", "7x7", "--faulty-nodes", "2,x"},
          "--faulty-nodes '2,x': expected whole numbers with ','");
  refused({"--mesh", "7x7", "--faulty-nodes", "2", "--shape", "round"}, "--shape");
  refused({"--mesh", "7x7", "--faulty-nodes", "2", "--patterns", "0"}, "0 patterns requested");
  refused({"--mesh", "7x7", "--faulty-nodes", "49"}, "at least one node must be healthy");
  refused({"--mesh", "7x7", "--faulty-nodes", "3", "--shape", "concave"},
          "each region needs at least 5 nodes");
  refused({"--mesh", "7x7", "--node", "1,1", "--monte-carlo", "0"},
          "0 samples requested; draw at least one path");
  refused({"--mesh", "7x7", "--node", "1,1", "--monte-carlo=-5"},
          "--monte-carlo '-5': expected a whole number");
}

}  // namespace flitmend
