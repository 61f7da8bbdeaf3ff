// SPDX-License-Identifier: Apache-2.0
// What scripts outside the project rely on: the keys and types of the objects that `flitmend analyze TOOL
// --json` prints. Keys may be added; none of these may be removed, be renamed or change its type.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.h"

namespace flitmend {
namespace {

using Answer = nlohmann::json;
using Keys = std::map<std::string, std::string>;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in("analyze " + line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string output(const std::string& line) {
  const ProgramResult result = run_flitmend(words_of(line));
  EXPECT_EQ(result.status, ExitStatus::done) << line << ": " << result.err;
  EXPECT_EQ(result.err, "") << line;
  return result.out;
}

Answer object_of(const std::string& line) {
  return Answer::parse(output(line + " --json"));
}

/// "count": an integer from 0; "share": a number from 0 to 1.
bool is_a(const Answer& value, const std::string& type) {
  if (type == "count") return value.is_number_unsigned();
  if (type == "share") return value.is_number() && value >= 0 && value <= 1;
  if (type == "number") return value.is_number();
  if (type == "word") return value.is_string();
  if (type == "flag") return value.is_boolean();
  if (type == "numbers" || type == "words") {
    for (const Answer& element : value)
      if (!(type == "words" ? element.is_string() : element.is_number())) return false;
    return value.is_array();
  }
  if (type == "objects") return value.is_array() && !value.empty() && value.front().is_object();
  return false;
}

void expect_keys(const Answer& object, const Keys& keys, const std::string& where) {
  for (const auto& [key, type] : keys) {
    ASSERT_TRUE(object.contains(key)) << where << ": " << key;
    EXPECT_TRUE(is_a(object[key], type)) << where << ": " << key << " is " << object[key] << ", no " << type;
  }
}

}  // namespace

TEST(AnalyzeContract, FaultRings) {
  const Keys keys = {{"p_hit", "share"},         {"p_miss", "share"},    {"paths_total", "count"},
                     {"paths_missing", "count"}, {"region", "word"},     {"kind", "word"},
                     {"fault_nodes", "count"},   {"ring_nodes", "count"}};
  const Answer one = object_of("fault-rings --mesh 7x8x11 --box 2,2,2:2x1x3");
  expect_keys(one, keys, "box");
  EXPECT_EQ(one["region"], "ring");
  EXPECT_EQ(one["kind"], "f-ring");
  EXPECT_EQ(one["fault_nodes"], 6);
  EXPECT_EQ(one["ring_nodes"], 54);
  for (const char* more : {" --region ring", " --region fault", " --method sweep", " --method determinant",
                           " --monte-carlo 100", " --box 4,3,3:1x1x1", " --node 1,1,0 --node 5,5,5"}) {
    const Answer object = object_of("fault-rings --mesh 7x8x11 --box 2,2,2:2x1x3" + std::string(more));
    expect_keys(object, keys, more);
  }
  EXPECT_EQ(object_of("fault-rings --mesh 4x4 --node 0,0")["kind"], "f-chain");
  EXPECT_EQ(object_of("fault-rings --mesh 4x4 --node 0,0 --region fault")["region"], "fault");
}

TEST(AnalyzeContract, FaultRingsOfPairsAndOfRandomPatterns) {
  const Keys pairs = {{"pairs", "count"},
                      {"p_hit_mean", "share"},
                      {"never", "share"},
                      {"always", "share"},
                      {"between", "numbers"}};
  expect_keys(object_of("fault-rings --mesh 5x5 --node 2,2 --per-pair")["of_pairs"], pairs, "per pair");
  for (const char* more : {"", " --shape block", " --shape orthogonally-convex", " --shape concave",
                           " --shape any", " --regions 2", " --region fault"}) {
    const Answer object =
        object_of("fault-rings --mesh 8x8 --faulty-nodes 6,10 --patterns 20" + std::string(more));
    expect_keys(object,
                {{"mesh", "word"},
                 {"shape", "word"},
                 {"regions", "count"},
                 {"region", "word"},
                 {"by_faulty_nodes", "objects"}},
                more);
    ASSERT_EQ(object["by_faulty_nodes"].size(), 2u);
    for (const Answer& row : object["by_faulty_nodes"]) {
      expect_keys(row,
                  {{"faulty_nodes", "count"},
                   {"patterns", "count"},
                   {"rejected", "count"},
                   {"f_rings", "count"},
                   {"ring_nodes", "number"},
                   {"p_hit", "share"},
                   {"p_hit_least", "share"},
                   {"p_hit_most", "share"},
                   {"p_hit_ci95", "number"},
                   {"p_hit_interval95", "numbers"}},
                  more);
      expect_keys(row["of_pairs"], pairs, more);
    }
    EXPECT_EQ(object["by_faulty_nodes"][1]["faulty_nodes"], 10);
  }
}

TEST(AnalyzeContract, ProbabilityVectors) {
  for (const char* more : {"", " --faulty-link 222-221", " --arithmetic double", " --arithmetic log"}) {
    const Answer object =
        object_of("probability-vectors --k 3 --faulty 011,100,110,120,220" + std::string(more));
    expect_keys(object, {{"k", "count"}, {"nodes", "objects"}}, more);
    EXPECT_EQ(object["nodes"].size(), 27u);
    for (const Answer& node : object["nodes"])
      expect_keys(node,
                  {{"node", "word"}, {"faulty", "flag"}, {"faulty_neighbours", "words"}, {"p", "numbers"}},
                  more);
    const Answer& first = object["nodes"][0];
    EXPECT_EQ(first["node"], "000");
    EXPECT_EQ(first["faulty"], false);
    EXPECT_EQ(first["faulty_neighbours"], Answer::array({"100"}));
    EXPECT_NEAR(first["p"][0], .166667, 5e-7);
    EXPECT_NEAR(first["p"][1], .086420, 5e-7);
  }
}

TEST(AnalyzeContract, ProbabilityRoutingOfOneMessage) {
  const Answer object =
      object_of("probability-routing --k 3 --faulty 011,100,110,120,220 --from 200 --to 222");
  expect_keys(object, {{"status", "word"}, {"hops", "count"}, {"route", "words"}}, "route");
  EXPECT_EQ(object, Answer::parse(R"({"status": "delivered", "hops": 2, "route": ["200", "202", "222"]})"));
  // Every neighbour of the source is faulty.
  EXPECT_EQ(object_of("probability-routing --k 2 --faulty 001,010,100 --from 000 --to 111")["status"],
            "failed");
  // Every neighbour of the destination is faulty.
  EXPECT_EQ(
      object_of("probability-routing --k 4 --faulty 001,010,100,003,030,300 --from 222 --to 000")["status"],
      "looping");
}

TEST(AnalyzeContract, ProbabilityRoutingOfManyPairs) {
  const Keys shares = {{"delivered", "share"},   {"minimal", "share"}, {"within_2", "share"},
                       {"within_4", "share"},    {"failed", "share"},  {"looping", "share"},
                       {"disconnected", "share"}};
  for (const char* more : {"", " --memory none", " --memory no-return", " --memory visited", " --ties lowest",
                           " --ties random"}) {
    const Answer object =
        object_of("probability-routing --k 8 --faults 153 --pairs 2000 --fault-sets 20" + std::string(more));
    expect_keys(object, shares, more);
    expect_keys(object,
                {{"pairs", "count"},
                 {"deviation_percent", "number"},
                 {"mean_hops", "number"},
                 {"by_distance", "objects"}},
                more);
    EXPECT_EQ(object["pairs"], 2000);
    for (const Answer& row : object["by_distance"])
      expect_keys(row, {{"lee", "count"}, {"hamming", "count"}}, more);
    EXPECT_EQ(object["by_distance"][0]["lee"], 1);
    EXPECT_EQ(object["by_distance"][0]["hamming"], 1);
  }
}

TEST(AnalyzeContract, ProbabilityBounds) {
  const Answer object = object_of("probability-bounds --k 8 --faults 153");
  expect_keys(object, {{"theorem1", "objects"}, {"average_distance", "numbers"}}, "bounds");
  for (const Answer& row : object["theorem1"])
    expect_keys(row, {{"lee", "count"}, {"hamming", "count"}, {"value", "share"}}, "theorem1");
  EXPECT_EQ(object["average_distance"][0], 1);
}

TEST(AnalyzeContract, KnsTolerance) {
  const std::string names[] = {"connected", "tolerated_0", "tolerated_1", "tolerated_2",
                               "pairs_0",   "pairs_1",     "pairs_2",     "pairs_unreachable"};
  Keys shares = {{"combinations", "count"}, {"tolerated_2_ci99", "number"}}, counts = shares;
  for (const std::string& name : names) {
    shares[name] = "share";
    counts[name] = "count";
  }
  for (const char* more : {"", " --intermediates 2", " --policy fewest", " --policy minimal-first"}) {
    expect_keys(object_of("kns-tolerance --k 32 --n 2 --faults 10 --samples 500" + std::string(more)), shares,
                more);
    expect_keys(object_of("kns-tolerance --k 3 --n 2 --faults 3 --exhaustive" + std::string(more)), counts,
                more);
  }
}

TEST(AnalyzeContract, KaryNcubeModel) {
  const std::string line =
      "kary-ncube-model --k 8 --n 2 --length 32 --virtual-channels 4 --faulty-nodes 3 --rate 0.004";
  for (const char* more :
       {"", " --sum a", " --sum b", " --transit PV", " --transit Pf", " --variant paper", " --variant O"}) {
    const Answer object = object_of(line + more);
    expect_keys(object,
                {{"latency", "number"},
                 {"saturated", "flag"},
                 {"saturation_rate", "number"},
                 {"zero_load", "number"},
                 {"channel_wait", "numbers"},
                 {"source_wait", "number"},
                 {"multiplexing", "number"}},
                more);
    EXPECT_EQ(object["saturated"], false);
    EXPECT_EQ(object["channel_wait"].size(), 2u);
  }
  EXPECT_NEAR(object_of(line)["latency"], 63.902501, 5e-7);
  EXPECT_NEAR(object_of(line + " --sum b")["latency"], 71.640989, 5e-7);
}

// Every tool that draws at random: the same bytes with any number of threads, for table and object; and
// different draws with another seed.
TEST(AnalyzeContract, NoByteDependsOnTheNumberOfThreads) {
  for (const std::string line :
       {"fault-rings --mesh 12x13 --box 4,4:3x2 --monte-carlo 3001",
        "fault-rings --mesh 9x5x6 --box 4,2,2:3x2x1 --method determinant --monte-carlo 999",
        "fault-rings --mesh 9x8 --faulty-nodes 5,8 --shape concave --patterns 31",
        "fault-rings --mesh 5x4x6 --faulty-nodes 3,7 --shape any --region fault --patterns 17",
        "probability-routing --k 5 --faults 25 --pairs 3001 --fault-sets 37",
        "probability-routing --k 4 --faults 9 --link-faults 7 --pairs 2001 --fault-sets 19 --ties random "
        "--memory none --learn",
        "probability-routing --k 4 --faults 15 --pairs 2001 --fault-sets 19 --memory visited --arithmetic "
        "log",
        "kns-tolerance --k 10 --n 3 --faults 12 --samples 3001",
        "kns-tolerance --k 5 --n 3 --faults 12 --samples 1001 --policy minimal-first --intermediates 3",
        "kns-tables --k 8 --n 2 --faults 9 --intermediates 2"})
    for (const char* form : {"", " --json"}) {
      const std::string one = output(line + form + " --seed 3 --jobs 1");
      EXPECT_EQ(output(line + form + " --seed 3 --jobs 2"), one) << line;
      EXPECT_EQ(output(line + form + " --seed 3 --jobs 3"), one) << line;
      EXPECT_NE(output(line + form + " --seed 4 --jobs 3"), one) << line;
    }
}

}  // namespace flitmend
