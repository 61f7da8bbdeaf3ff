// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "support/run_command.h"

namespace flitmend {
namespace {

using Answer = nlohmann::json;

ProgramResult analyze_vectors(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  return run_flitmend(words);
}
Answer vector_answer(std::vector<std::string> words) {
  words.push_back("--json");
  const auto result = analyze_vectors(std::move(words));
  EXPECT_EQ(result.status, ExitStatus::done) << result.err;
  return Answer::parse(result.out);
}
void refused(std::vector<std::string> words, const std::string& message) {
  const auto result = analyze_vectors(std::move(words));
  EXPECT_EQ(result.status, ExitStatus::bad_usage);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
}

const char* const kFaulty = "011,100,110,120,220";

}  // namespace

TEST(AnalyzeProbabilityVectors, AnswersInJson) {
  const Answer json = vector_answer({"probability-vectors", "--k", "3", "--faulty", kFaulty});
  EXPECT_EQ(json["k"], 3);
  ASSERT_EQ(json["nodes"].size(), 27u);
  const Answer& first = json["nodes"][0];
  EXPECT_EQ(first["node"], "000");
  EXPECT_EQ(first["faulty"], false);
  EXPECT_EQ(first["faulty_neighbours"], Answer::array({"100"}));
  ASSERT_EQ(first["p"].size(), 3u);
  EXPECT_NEAR(first["p"][0], .166667, 5e-7);
  EXPECT_NEAR(first["p"][1], .086420, 5e-7);
  EXPECT_NEAR(first["p"][2], 2.395667e-06, 5e-13);
  EXPECT_EQ(json["nodes"][4]["node"], "011");
  EXPECT_EQ(json["nodes"][4]["faulty"], true);
  EXPECT_EQ(json["nodes"][3]["faulty_neighbours"], Answer::array({"011", "110"}));
  const Answer logs =
      vector_answer({"probability-vectors", "--k", "3", "--faulty", kFaulty, "--arithmetic", "log"});
  EXPECT_NEAR(logs["nodes"][0]["p"][1], .086420, 5e-7);
  EXPECT_NEAR(logs["nodes"][0]["ln_p"][1], std::log(.086420), 1e-5);
}

TEST(AnalyzeProbabilityVectors, KnowsFaultyLinks) {
  const Answer json = vector_answer({"probability-vectors", "--k", "3", "--faulty-link", "222-202"});
  EXPECT_EQ(json["nodes"][26]["faulty_neighbours"], Answer::array({"202"}));
  EXPECT_EQ(json["nodes"][20]["faulty_neighbours"], Answer::array({"222"}));
  EXPECT_EQ(json["nodes"][26]["faulty"], false);
}

TEST(AnalyzeProbabilityVectors, PrintsATable) {
  const auto result = analyze_vectors({"probability-vectors", "--k", "3", "--faulty", kFaulty});
  EXPECT_NE(result.out.find("0.151235"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("011   faulty"), std::string::npos) << result.out;
}

TEST(AnalyzeProbabilityVectors, RefusesBadInput) {
  refused({"probability-vectors", "--k", "1"}, "k is 1; it must be at least 2");
  refused({"probability-vectors", "--k", "3", "--faulty", "013"}, "node '013' of the 3-ary 3-cube");
  refused({"probability-vectors", "--k", "3", "--faulty-link", "000-011"}, "are not neighbours");
  refused({"probability-vectors", "--k", "60"},
          "those of the 60-ary 3-cube have 19440000 elements; at most 10000000 can be printed");
  refused({"probability-vectors", "--k", "999"}, "more than 2^24 nodes");
}

TEST(AnalyzeProbabilityRouting, RoutesOneMessage) {
  const Answer json =
      vector_answer({"probability-routing", "--k", "3", "--faulty", kFaulty, "--from", "200", "--to", "222"});
  EXPECT_EQ(json, Answer::parse(R"({"status": "delivered", "hops": 2, "route": ["200", "202", "222"]})"));
  const auto text = analyze_vectors(
      {"probability-routing", "--k", "3", "--faulty", kFaulty, "--from", "200", "--to", "222"});
  EXPECT_EQ(text.out, "delivered after 2 hops: 200 202 222\n");
}

TEST(AnalyzeProbabilityRouting, GivesStatistics) {
  const std::vector<std::string> words = {
      "probability-routing", "--k", "4",      "--faults", "12", "--link-faults", "5", "--pairs", "5000",
      "--fault-sets",        "25",  "--seed", "9"};
  const auto with_jobs = [&](const char* jobs) {
    auto all = words;
    all.insert(all.end(), {"--jobs", jobs, "--json"});
    return analyze_vectors(all).out;
  };
  EXPECT_EQ(with_jobs("1"), with_jobs("2"));
  EXPECT_EQ(with_jobs("1"), with_jobs("5"));
  const Answer json = Answer::parse(with_jobs("2"));
  EXPECT_EQ(json["pairs"], 5000);
  for (const char* key :
       {"delivered", "minimal", "within_2", "within_4", "failed", "looping", "disconnected"}) {
    EXPECT_GE(json[key], 0.0) << key;
    EXPECT_LE(json[key], 1.0) << key;
  }
  EXPECT_NEAR(json["delivered"].get<double>() + json["failed"].get<double>() + json["looping"].get<double>(),
              1, 1e-12);
  EXPECT_GT(json["mean_hops"], 2.0);
  EXPECT_GE(json["deviation_percent"], 0.0);
  std::uint64_t pairs = 0;
  for (const Answer& d : json["by_distance"]) {
    pairs += d["pairs"].get<std::uint64_t>();
    EXPECT_LE(d["hamming"], d["lee"]);
  }
  EXPECT_EQ(pairs, 5000u);
}

TEST(AnalyzeProbabilityRouting, SaysWhatIsNotKnown) {
  const std::vector<std::string> one = {
      "probability-routing", "--k", "8", "--faults", "153", "--pairs", "500", "--fault-sets", "1"};
  const Answer json = vector_answer(one);
  EXPECT_TRUE(json["delivered_ci95"].is_null());
  EXPECT_TRUE(json["delivered_interval95"].is_null());
  EXPECT_NE(analyze_vectors(one).out.find("(95 % interval n/a)"), std::string::npos);

  const std::vector<std::string> dead = {
      "probability-routing", "--k", "3", "--link-faults", "81", "--pairs", "500"};
  const Answer none = vector_answer(dead);
  EXPECT_EQ(none["delivered"], 0);
  EXPECT_TRUE(none["mean_hops"].is_null());
  EXPECT_TRUE(none["deviation_percent"].is_null());
  EXPECT_TRUE(none["by_distance"][0]["mean_hops"].is_null());
  EXPECT_EQ(none["delivered_interval95"][0], 0);
  EXPECT_GT(none["delivered_interval95"][1], .015);
  EXPECT_EQ(none["delivered_ci95"], none["delivered_interval95"][1]);
  const std::string text = analyze_vectors(dead).out;
  EXPECT_NE(text.find("no message delivered: no mean number of hops"), std::string::npos) << text;
  EXPECT_NE(text.find("        n/a\n"), std::string::npos) << text;
}

TEST(AnalyzeProbabilityRouting, CountsInTheSingular) {
  const auto hop = analyze_vectors({"probability-routing", "--k", "3", "--from", "000", "--to", "001"});
  EXPECT_EQ(hop.out, "delivered after 1 hop: 000 001\n");
  const auto pair = analyze_vectors({"probability-routing", "--k", "3", "--pairs", "1"});
  EXPECT_EQ(pair.out.find("1 pair: delivered 1.0000"), 0u) << pair.out;
}

TEST(AnalyzeProbabilityRouting, MemoryMatters) {
  const auto delivered = [](const char* memory) {
    return vector_answer({"probability-routing", "--k", "6", "--faults", "65", "--pairs", "4000",
                          "--fault-sets", "40", "--memory", memory})["delivered"]
        .get<double>();
  };
  EXPECT_LT(delivered("none"), delivered("no-return"));
}

TEST(AnalyzeProbabilityRouting, RefusesBadInput) {
  refused({"probability-routing", "--k", "3", "--faulty", kFaulty, "--from", "011", "--to", "222"},
          "the source 011 is faulty");
  refused({"probability-routing", "--k", "3", "--faulty", kFaulty, "--from", "000", "--to", "100"},
          "the destination 100 is faulty");
  refused({"probability-routing", "--k", "3", "--from", "000"}, "--to");
  refused({"probability-routing", "--k", "3", "--from", "", "--to", "000"}, "node '' of the 3-ary 3-cube");
  refused({"probability-routing", "--k", "3", "--from", "000", "--to", "001", "--faults", "3"}, "--faults");
  refused({"probability-routing", "--k", "3", "--faulty", "000"}, "--from");
  refused({"probability-routing", "--k", "3", "--faults", "26"}, "26 faulty nodes leave fewer than two");
  refused({"probability-routing", "--k", "3", "--link-faults", "82"},
          "82 faulty links, but the 3-ary 3-cube has 81");
  refused({"probability-routing", "--k", "3", "--memory", "long"}, "--memory");
  refused({"probability-routing", "--k", "3", "--faults=-1"},
          "--faults '-1': expected a whole number from 0 to 4294967295");
  refused({"probability-routing", "--k", "3", "--pairs", "1e6"},
          "--pairs '1e6': expected a whole number from 0 to 18446744073709551615");
  refused({"probability-routing", "--k", "3", "--fault-sets", "0"},
          "0 fault sets requested; draw at least one");
  refused({"probability-routing", "--k", "3", "--pairs", "9999999999999999"}, "would take hours; draw fewer");
  refused({"probability-routing", "--k", "3", "--from", "000", "--to", "001", "--detour-limit", "999999999"},
          "a detour limit of 999999999 hops; at most 100000000 are supported");
}

TEST(AnalyzeProbabilityBounds, AnswersInJson) {
  const Answer json = vector_answer({"probability-bounds", "--k", "8", "--faults", "153"});
  ASSERT_EQ(json["theorem1"].size(), 21u);
  bool found = false;
  for (const Answer& b : json["theorem1"])
    if (b["lee"] == 6 && b["hamming"] == 2) {
      EXPECT_NEAR(b["value"], .350604, 5e-7);
      found = true;
    }
  EXPECT_TRUE(found);
  ASSERT_EQ(json["average_distance"].size(), 12u);
  EXPECT_EQ(json["average_distance"][0], 1.0);
}

TEST(AnalyzeProbabilityBounds, RefusesBadInput) {
  refused({"probability-bounds", "--k", "8", "--faults", "511"}, "511 faulty nodes leave fewer than two");
  refused({"probability-bounds", "--k", "1", "--faults", "0"}, "k is 1; it must be at least 2");
  refused({"probability-bounds", "--k", "8"}, "--faults is required");
}

}  // namespace flitmend
