// SPDX-License-Identifier: Apache-2.0
#include "exploration/campaign/campaign.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/errors.h"
#include "exploration/campaign/bounds.h"
#include "exploration/campaign/campaign_plan.h"
#include "exploration/sweeps/writer.h"
#include "protocols/recovery/registry.h"
#include "support/files.h"

namespace flitmend {
namespace {

Campaign campaign(const std::string& text) {
  return parse_campaign(text, "c.yaml",
                        [](const std::string&) { return std::string("network: {size: [3, 3]}"); });
}

std::string complaint(const std::string& text) {
  return test::message_of<ConfigurationError>([&] { campaign(text); });
}

constexpr const char* kTwoCases =
    "hits: 100\n"
    "runs: 50\n"
    "protocols: [end-to-end]\n"
    "base: {network: {size: [4, 4]}}\n"
    "axes: [{key: faults.node_rate, values: [0.001, 0.002]}]\n";

TEST(Campaign, DrawsFromSeedsAxesAndProtocols) {
  const Campaign c = campaign(kTwoCases);
  EXPECT_EQ(c.hits, 100);
  EXPECT_EQ(c.confidence, 0.95);
  const SweepPlan plan(c.sweep);
  EXPECT_EQ(plan.units(), 100);
  const Configuration first = plan.configuration(plan.point(0)), last = plan.configuration(plan.point(99));
  EXPECT_EQ(first.simulation.seed, 1);
  EXPECT_EQ(last.simulation.seed, 100) << "the last of 50 seeds of the second case";
  EXPECT_EQ(last.faults.node_rate, 0.002);
  EXPECT_EQ(last.recovery.protocol, "end-to-end");
  EXPECT_TRUE(first.statistics.hits);
}

// Combinations with the same random faults and the same seed would have the same hits.
TEST(Campaign, GivesEveryCombinationSeedsOfItsOwnAndAllProtocolsTheSame) {
  const Campaign c = campaign(
      "runs: 20\nprotocols: [none, end-to-end, fcr]\nbase: {network: {size: [4, 4]}}\n"
      "axes: [{key: faults.node_rate, values: [0.001, 0.002]}, {key: traffic.load, values: [0.1, 0.2, "
      "0.3]}]\n");
  const SweepPlan plan(c.sweep);
  std::map<std::int64_t, std::set<std::string>> seeds;  // the combinations of each
  for (std::int64_t unit = 0; unit < plan.units(); ++unit) {
    Json axes = plan.point(unit).axes();
    const auto seed = axes["simulation.seed"].get<std::int64_t>();
    axes.erase("simulation.seed");
    axes.erase("recovery.protocol");
    seeds[seed].insert(axes.dump());
  }
  ASSERT_EQ(seeds.size(), 20u * 6);
  EXPECT_EQ(seeds.begin()->first, 1);
  EXPECT_EQ(seeds.rbegin()->first, 20 * 6);
  for (const auto& [seed, combinations] : seeds) EXPECT_EQ(combinations.size(), 1u) << seed;
}

TEST(Campaign, TakesEveryProtocolUnlessSomeAreNamed) {
  const Campaign c = campaign("base: mesh.yaml\naxes: [{key: faults.node_rate, values: [0.001]}]\nruns: 1");
  const SweepPlan plan(c.sweep);
  std::set<std::string> protocols;
  for (std::int64_t unit = 0; unit < plan.units(); ++unit)
    protocols.insert(plan.configuration(plan.point(unit)).recovery.protocol);
  EXPECT_EQ(protocols.size(), recovery_protocols().entries().size());
}

TEST(Campaign, RefusesWhatItCannotReadWithItsPlace) {
  EXPECT_NE(complaint("axes: [{key: faults.node_rate, values: [0.1]}]").find("base: missing"),
            std::string::npos);
  EXPECT_NE(complaint("hits: 0\nbase: b\naxes: [{key: faults.node_rate, values: [0.1]}]")
                .find("c.yaml:1:7: hits: "),
            std::string::npos);
  EXPECT_NE(complaint("base: b\naxes: [{key: faults.node_rat, values: [0.1]}]").find("faults.node_rat"),
            std::string::npos);
  EXPECT_NE(complaint("base: b\nhit: 3\naxes: [{key: faults.node_rate, values: [0.1]}]")
                .find("c.yaml:2:1: hit: unknown key (did you mean 'hits'?)"),
            std::string::npos);
  EXPECT_NE(complaint("base: b\nprotocols: [sbpr]\naxes: [{key: faults.node_rate, values: [0.1]}]")
                .find("c.yaml:2:13: protocols: "),
            std::string::npos);
  EXPECT_NE(complaint("base: b\ndurations: [short]\naxes: [{key: faults.node_rate, values: [0.1]}]")
                .find("c.yaml:2:13: durations: expected transient or permanent, found 'short'"),
            std::string::npos);
  EXPECT_NE(complaint("base: b\noverlaps: [one, two]\naxes: [{key: faults.node_rate, values: [0.1]}]")
                .find("c.yaml:2:17: overlaps: expected one, at-once or in-sequence, found 'two'"),
            std::string::npos);
  EXPECT_NE(complaint("base: b\naxes: [{seeds: 3}]").find("a campaign chooses its seeds itself"),
            std::string::npos);
  EXPECT_NE(
      complaint("base: b\naxes: [{key: recovery.protocol, values: [none]}]").find("with the key protocols"),
      std::string::npos);
}

/// Results of invented runs: the second combination hits a stratum that the first one never does.
SweepWriter::Finished finished(std::int64_t unit) {
  SweepWriter::Finished f;
  f.point.id = unit;
  Json stats = {{"messages", {{"generated", 1000}}},
                {"simulation", {{"cycles", 800}, {"flit_hops", 0}}},
                {"contract", {{"holds", true}}}};
  const auto row = [](const char* phase, int hits, int failed) {
    return Json{{"fault", "node"},     {"duration", "transient"}, {"phase", phase}, {"overlap", "one"},
                {"hits", hits},        {"delivered", hits},       {"lost", 0},      {"undeliverable", 0},
                {"guard_repaired", 0}, {"failed", failed}};
  };
  stats["hits"] = Json::array({row("head", 20, 0)});
  if (unit % 2 == 1) stats["hits"].push_back(row("tail", 3, unit == 1));
  f.point.stats = stats.dump();
  return f;
}

struct Rounds {
  std::vector<std::vector<std::int64_t>> units;
  std::string table;
  std::string csv;
};

/// Runs a campaign and stops after `most` rounds.
Rounds play(const Campaign& c, const std::string& folder, std::size_t most, bool resume) {
  const SweepPlan plan(c.sweep);
  const SweepIdentity identity{"1", c.sweep.base, c.sweep.base_name, c.sweep.text, c.name};
  SweepWriter writer =
      resume ? SweepWriter::resume(folder, identity, {}) : SweepWriter::create(folder, identity, {});
  const SweepReader reader(folder);
  CampaignPlan rounds(c, plan);
  Rounds played;
  for (auto units = rounds.next(reader); !units.empty() && played.units.size() < most;
       units = rounds.next(reader)) {
    played.units.push_back(units);
    const std::set<std::int64_t> known = writer.finished();
    std::vector<SweepWriter::Finished> batch;
    for (const std::int64_t unit : units)
      if (!known.contains(unit)) batch.push_back(finished(unit));
    writer.add(batch);
  }
  played.table = bounds_table(c, rounds);
  played.csv = bounds_csv(found_bounds(c, rounds));
  return played;
}

TEST(CampaignPlan, RunsACombinationWhileAStratumThatItHitsHasNotEnough) {
  const Campaign c = campaign(kTwoCases);
  const test::TemporaryFolder folder;
  const Rounds played = play(c, folder / "", 100, false);
  std::set<std::int64_t> all;
  std::uint64_t first = 0, second = 0;
  for (const auto& round : played.units)
    for (const std::int64_t unit : round) {
      EXPECT_TRUE(all.insert(unit).second) << "unit " << unit << " twice";
      ++(unit % 2 == 0 ? first : second);
    }
  // 20 hits per run: two runs of each, one more of each. The tail needs 100 / 3 runs of the second one.
  EXPECT_LE(first, 4u);
  EXPECT_EQ(second, 34u);
  EXPECT_NE(played.table.find("| end-to-end | node | transient | tail | one | 102 | 0 | 0 | 0 | 0 | 1 | "),
            std::string::npos)
      << played.table;
  EXPECT_NE(played.table.find("Of the 2 strata that the campaign fills, 2 have at least 100 hits"),
            std::string::npos)
      << played.table;
}

TEST(CampaignPlan, FillsOnlyTheStrataWithTheOverlapsThatAreNamed) {
  const test::TemporaryFolder all, others;
  EXPECT_EQ(play(campaign(kTwoCases + std::string("overlaps: [at-once, one]\n")), all / "", 100, false).units,
            play(campaign(kTwoCases), others / "", 100, false).units);
  const test::TemporaryFolder folder;
  const Rounds played =
      play(campaign(kTwoCases + std::string("overlaps: [at-once]\n")), folder / "", 100, false);
  ASSERT_EQ(played.units.size(), 1u) << "what comes first of every combination";
  EXPECT_NE(played.table.find("Of the 0 strata that the campaign fills, 0 have"), std::string::npos)
      << played.table;
  EXPECT_NE(played.table.find("| head | one | 80 |"), std::string::npos) << played.table;
}

/// Plays the campaign kTwoCases to its end, with these results of every unit.
struct Played {
  std::vector<std::int64_t> runs = {0, 0};  ///< of the first and the second combination
  std::uint64_t tails = 0;                  ///< hits
};
template <class ChangeStats>
Played play_two_cases(ChangeStats&& change) {
  const Campaign c = campaign(kTwoCases);
  const SweepPlan plan(c.sweep);
  const test::TemporaryFolder folder;
  SweepWriter writer =
      SweepWriter::create(folder / "", {"1", c.sweep.base, c.sweep.base_name, c.sweep.text, c.name}, {});
  const SweepReader reader(folder / "");
  CampaignPlan rounds(c, plan);
  Played played;
  for (auto units = rounds.next(reader); !units.empty(); units = rounds.next(reader)) {
    std::vector<SweepWriter::Finished> batch;
    for (const std::int64_t unit : units) {
      const bool second = unit % 2 == 1;
      ++played.runs[second];
      SweepWriter::Finished f = finished(3);  // heads and tails
      f.point.id = unit;
      Json stats = Json::parse(*f.point.stats);
      change(stats, second);
      f.point.stats = stats.dump();
      batch.push_back(f);
    }
    writer.add(batch);
  }
  const auto tail = rounds.strata().find({"end-to-end", "node", "transient", "tail", "one"});
  if (tail != rounds.strata().end()) played.tails = tail->second.hits;
  return played;
}

TEST(CampaignPlan, LeavesAStratumToTheCombinationsThatHitItOften) {
  // Of the heads the second combination hits 21 per run and the first one 9; of the tails 4 and 2.
  const Played played = play_two_cases([](Json& stats, bool second) {
    stats["hits"][0]["hits"] = second ? 21 : 9;
    stats["hits"][1]["hits"] = second ? 4 : 2;
  });
  // Heads: the first combination leaves them to the second. Tails: half as often is often enough, so 6 per
  // round.
  EXPECT_EQ(played.tails, 102u);
  EXPECT_EQ(played.runs[0], 17);
  EXPECT_EQ(played.runs[1], 17);
}

TEST(CampaignPlan, CountsTheHitsOfEarlierCampaigns) {
  const test::TemporaryFolder before, after;
  const std::string csv = play(campaign(kTwoCases), before / "", 3, false).csv;
  const auto with_earlier = [&](const std::string& more) {
    return parse_campaign(kTwoCases + more, "c.yaml", [&](const std::string&) { return csv; });
  };
  const FoundBounds found = parse_bounds(csv, "bounds.csv");
  const Campaign c = with_earlier("first_seed: 101\nearlier: [bounds.csv]\n");
  const SweepPlan plan(c.sweep);
  EXPECT_EQ(plan.configuration(plan.point(0)).simulation.seed, 101);
  EXPECT_EQ(plan.configuration(plan.point(99)).simulation.seed, 200);
  const Rounds played = play(c, after / "", 100, false);
  std::int64_t runs = 0, second = 0;
  for (const auto& round : played.units)
    for (const std::int64_t unit : round) ++runs, second += unit % 2;
  const Stratum tail{"end-to-end", "node", "transient", "tail", "one"};
  const auto earlier_tails = static_cast<std::int64_t>(found.strata.at(tail).hits);
  ASSERT_GT(earlier_tails, 0);
  EXPECT_EQ(second, (100 - earlier_tails + 2) / 3) << "3 tails per run";
  const FoundBounds both = parse_bounds(played.csv, "both");
  EXPECT_EQ(both.runs, found.runs + runs);
  EXPECT_EQ(both.messages, static_cast<std::uint64_t>(both.runs) * 1000);
  EXPECT_EQ(both.strata.at(tail).hits, static_cast<std::uint64_t>(earlier_tails + 3 * second));
  EXPECT_NE(played.table.find(std::to_string(runs) +
                              " of these runs are this campaign's own; the others are those of "
                              "\"bounds.csv\" (" +
                              found.fingerprint + ")."),
            std::string::npos)
      << played.table;

  const auto refusal = [&](const std::string& more) {
    return test::message_of<ConfigurationError>([&] { with_earlier(more); });
  };
  EXPECT_NE(refusal("earlier: [b.csv, b.csv]").find("c.yaml:6:18: earlier: 'b.csv' is named twice"),
            std::string::npos)
      << refusal("earlier: [b.csv, b.csv]");
  EXPECT_NE(refusal("earlier: b.csv").find("expected a list of files"), std::string::npos);
  EXPECT_NE(refusal("earlier: [a.csv, b.csv]").find("'b.csv' has the same results as another"),
            std::string::npos);
  const std::string refused = test::message_of<ConfigurationError>([&] {
    parse_campaign(std::string(kTwoCases) + "earlier: [bounds.csv, both.csv]", "c.yaml",
                   [&](const std::string& file) { return file == "both.csv" ? played.csv : csv; });
  });
  EXPECT_NE(refused.find("'both.csv' counts 'bounds.csv' already"), std::string::npos) << refused;
}

TEST(CampaignPlan, LeavesAStratumToTheCombinationsThatFillItInFewCycles) {
  // Both hit 6 heads per run, but the second combination needs 10 times as many cycles for it.
  const Played played = play_two_cases([](Json& stats, bool second) {
    stats["hits"].erase(1);
    stats["hits"][0]["hits"] = 6;
    stats["simulation"]["cycles"] = second ? 9800 : 800;
  });
  EXPECT_EQ(played.runs[0], 15) << "2 runs of each first, then (100 - 24) / 6";
  EXPECT_EQ(played.runs[1], 2);
}

TEST(CampaignPlan, NamesTheStrataThatCannotOccur) {
  const auto why = [](const char* protocol, const char* phase, const char* overlap = "one") {
    return why_impossible({protocol, "node", "transient", phase, overlap});
  };
  EXPECT_EQ(why("none", "retransmission"), "nothing is sent again");
  EXPECT_EQ(why("fcr", "control"), "the protocol has no control messages");
  EXPECT_EQ(why("utp", "control", "at-once"), "");  // it asks for messages whose heads waited too long
  EXPECT_NE(why("fcr", "tail", "at-once"), "");
  EXPECT_NE(why("sbrp-2", "absorption"), "");
  for (const RecoveryEntry& protocol : recovery_protocols().entries())
    for (const char* phase : {"head", "body"})
      for (const char* overlap : kOverlaps)
        EXPECT_EQ(why(std::string(protocol.name).c_str(), phase, overlap), "") << protocol.name;
  EXPECT_EQ(why("sbrp-1", "absorption", "at-once"), "");
  EXPECT_EQ(why("end-to-end", "control", "in-sequence"), "");

  const test::TemporaryFolder folder;
  const std::string text =
      std::string(kTwoCases).replace(std::string(kTwoCases).find("end-to-end"), 10, "fcr");
  const std::string table = play(campaign(text), folder / "", 1, false).table;
  EXPECT_NE(table.find("\n| fcr | control | the protocol has no control messages |\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("\n| fcr | absorption, one | a packet that is absorbed was hit before |\n"),
            std::string::npos)
      << table;
  // 12 of each of the first two, 4 of absorption; one of the tails has (invented) hits.
  EXPECT_NE(table.find("\n27 strata cannot occur:\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n| fcr | node | permanent | head | one |\n"), std::string::npos) << table;
  EXPECT_EQ(table.find("\n| fcr | node | transient | head | one |\n"), std::string::npos) << table;
}

TEST(CampaignPlan, ChoosesTheSameRunsWhenItIsResumed) {
  const Campaign c = campaign(kTwoCases);
  const test::TemporaryFolder whole, parts;
  const Rounds at_once = play(c, whole / "", 100, false);
  ASSERT_GT(at_once.units.size(), 3u);
  play(c, parts / "", 2, false);
  const Rounds resumed = play(c, parts / "", 100, true);
  EXPECT_EQ(resumed.units, at_once.units);
  EXPECT_EQ(resumed.table, at_once.table);
}

TEST(CampaignPlan, EndsWithTheMostRuns) {
  Campaign c = campaign(std::string(kTwoCases).replace(0, 9, "hits: 9999"));
  const test::TemporaryFolder folder;
  const Rounds played = play(c, folder / "", 100, false);
  std::size_t runs = 0;
  for (const auto& round : played.units) runs += round.size();
  EXPECT_EQ(runs, 100u);
  EXPECT_NE(played.table.find("| 2000* |"), std::string::npos) << played.table;
}

}  // namespace
}  // namespace flitmend
