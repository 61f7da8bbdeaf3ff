// SPDX-License-Identifier: Apache-2.0
#include "testbench/collectives/planned_collective.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "support/text_mutator.h"
#include "testbench/configuration/loader.h"
#include "testbench/configuration/writer.h"
#include "topologies/registry.h"

namespace flitmend {
namespace {

std::vector<PlannedCollective> planned(const std::string& text) {
  const Configuration c = parse_configuration(text, "c.yaml", {});
  return planned_collectives(c, *make_topology(c.network), 8);
}

std::string traffic(const std::string& text) {
  return "network: {size: [4, 4]}\ntraffic: " + text + "\n";
}

TEST(PlannedCollectives, HaveWhatIsListed) {
  const std::string text = traffic(
      "{groups: {row: [3, 2, 1, 0], corners: [[0, 0], router_3_3], each: all}, collectives: [{collective: "
      "all-reduce, group: row, bytes: 100, combine_time: 7, repetitions: 3, start: 50}, {collective: "
      "broadcast, "
      "bytes: 17, group: [9, 8], root: [0, 2], name: news}, {collective: all-reduce, algorithm: "
      "recursive-doubling, group: corners, bytes: 0}, {collective: all-gather, group: each, bytes: 1000}]}");
  const auto check = [](const std::vector<PlannedCollective>& all) {
    ASSERT_EQ(all.size(), 4u);
    EXPECT_EQ(all[0].name, "0");
    EXPECT_EQ(all[0].kind->algorithm, "ring");
    EXPECT_EQ(all[0].members, (std::vector<NodeId>{3, 2, 1, 0}));
    EXPECT_EQ(all[0].piece_bytes, 25u);
    EXPECT_EQ(all[0].length, 2u + 4);
    EXPECT_EQ(all[0].combine_time, 7u);
    EXPECT_EQ(all[0].repetitions, 3u);
    EXPECT_EQ(all[0].start, 50u);
    EXPECT_EQ(all[1].name, "news");
    EXPECT_EQ(all[1].root, 1u);
    EXPECT_EQ(all[1].length, 2u + 3);
    EXPECT_EQ(all[2].members, (std::vector<NodeId>{0, 15}));
    EXPECT_EQ(all[2].length, 2u);
    EXPECT_EQ(all[3].members.size(), 16u);
    EXPECT_EQ(all[3].piece_bytes, 63u);
  };
  check(planned(text));
  // What is written for the run's folder says the same.
  check(planned(to_yaml(parse_configuration(text, "c.yaml", {}))));
}

TEST(PlannedCollectives, AreRefusedWithPlaceAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"{collectives: [{bytes: 8}]}", "c.yaml:2:25: collective: not given; name one, like all-reduce"},
      {"{collectives: [{collective: all-reduc, bytes: 8}]}",
       "c.yaml:2:38: unknown collective 'all-reduc' (did you mean 'all-reduce'?)"},
      {"{collectives: [{collective: broadcast, algorithm: ring, bytes: 8}]}",
       "unknown algorithm of broadcast 'ring'; known: tree"},
      {"{collectives: [{collective: all-reduce}]}", "bytes: not given; give the bytes of the whole vector"},
      {"{collectives: [{collective: all-reduce, bytes: -1}]}", "bytes: '-1' is out of range"},
      {"{collectives: [{collective: all-reduce, bytes: 8, group: rwo}], groups: {row: [1, 2]}}",
       "group: unknown group 'rwo' (did you mean 'row'?)"},
      {"{collectives: [{collective: all-reduce, bytes: 8, group: [1, 77]}]}",
       "there is no node 77 in the 4x4"},
      {"{collectives: [{collective: all-reduce, bytes: 8, group: [1, 1]}]}",
       "group: router_1_0 is listed twice; list each node once"},
      {"{collectives: [{collective: all-reduce, bytes: 8, root: 1}]}",
       "root: all-reduce has no root; remove it"},
      {"{collectives: [{collective: broadcast, bytes: 8, group: [1, 2], root: 3}]}",
       "root: the node is not in the group; name a member"},
      {"{collectives: [{collective: broadcast, bytes: 1000000}]}",
       "are 125002 flits, but may have 65535 at most"},
      {"{collectives: [{collective: all-reduce, bytes: 8, repetitions: 0}]}", "'0' is out of range"},
      {"{collectives: [{collective: all-reduce, bytes: 8, repetition: 2}]}",
       "unknown key 'repetition' (did you mean 'repetitions'?)"},
      {"{collectives: [{collective: all-reduce, bytes: 8, name: a}, {collective: all-reduce, bytes: 8, name: "
       "a}]}",
       "the name 'a' is that of the collective at c.yaml:2:"},
      {"{collectives: [{collective: all-reduce, bytes: 8, repetitions: 600000}, {collective: all-gather, "
       "group: [0], bytes: 8, repetitions: 600000}]}",
       "the repetitions up to here add up to 1200000, but may to 1000000 at most; lower them"},
      {"{collectives: 7}", "expected a list like [{collective: all-reduce, bytes: 4096}]"},
      {"{collectives: [ring]}", "expected a collective like {collective: all-reduce, bytes: 4096}"},
      {"{collectives: [{collective: all-reduce, bytes: 8}], groups: {all: [1, 2]}}",
       "all: the group of all nodes has this name; choose another one"},
      {"{collectives: [{collective: all-reduce, bytes: 8}], groups: [1, 2]}",
       "expected groups of nodes like {row: [0, 1, 2, 3], others: [5, 6]}"},
      {"{collectives: [{collective: all-reduce, bytes: 8}], groups: {row: [1, 99]}}", "there is no node 99"},
  };
  for (const auto& [text, error] : cases) {
    try {
      planned(traffic(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const ConfigurationError& refused) {
      EXPECT_NE(std::string(refused.what()).find(error), std::string::npos) << text << '\n' << refused.what();
    }
  }
}

// Groups and schedules that would not fit in memory.
TEST(PlannedCollectives, AreRefusedIfTheyAreTooLarge) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      planned(text);
    } catch (const ConfigurationError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_NE(
      refusal("network: {size: [64, 64]}\ntraffic: {collectives: [{collective: all-reduce, bytes: 8}]}\n")
          .find("group: 4096 nodes are more than 1024; choose fewer"),
      std::string::npos);
  std::string list;
  for (unsigned i = 0; i < 5; ++i) list += "{collective: all-reduce, bytes: 8}, ";
  EXPECT_NE(refusal("network: {size: [32, 32]}\ntraffic: {collectives: [" + list + "]}\n")
                .find("one repetition of the collectives up to here has 10475520 messages"),
            std::string::npos)
      << refusal("network: {size: [32, 32]}\ntraffic: {collectives: [" + list + "]}\n");
}

TEST(PlannedCollectives, DamagedTextsAreReadOrRefused) {
  const std::string good = traffic(
      "\n  groups: {row: [3, 2, 1, 0], corners: [[0, 0], router_3_3]}\n  collectives:\n    - {collective: "
      "all-reduce, algorithm: ring, group: row, bytes: 100, combine_time: 7, repetitions: 3, start: 50}\n    "
      "- "
      "{collective: broadcast, bytes: 17, group: [9, 8], root: [0, 2], name: news}\n    - {collective: "
      "all-to-all, algorithm: direct, bytes: 64}");
  test::TextMutator mutator(11);
  unsigned refused = 0;
  for (unsigned round = 0; round < 1500; ++round) {
    const std::string text = round == 0 ? good : mutator.mutate(good);
    try {
      const Configuration c = parse_configuration(text, "c.yaml", {});
      const auto topology = make_topology(c.network);
      if (topology->node_count() > 256) continue;
      planned_collectives(c, *topology, 8);
    } catch (const ConfigurationError& error) {
      ++refused;
      const std::string what = error.what();
      EXPECT_NE(round, 0u) << what;
      EXPECT_NE(what.find("c.yaml"), what.npos) << what << '\n' << text;
    }
  }
  EXPECT_GT(refused, 300u);
  EXPECT_LT(refused, 1450u);
}

}  // namespace
}  // namespace flitmend
