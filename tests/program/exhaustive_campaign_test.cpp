// SPDX-License-Identifier: Apache-2.0
// flitmend campaign --exhaustive, as a user starts it.
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "exploration/sweeps/other_program.h"
#include "exploration/sweeps/reader.h"
#include "support/every_nth.h"
#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

/// Whether searches try only a part of their cases, as in scripts/test.
const bool kPart = test::every_nth(2) != 1;

class ExhaustiveCampaign : public ProgramFixture {
 protected:
  int search(const std::string& file, const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"campaign", "--exhaustive", file, "--quiet", "--out", folder_ / name};
    words.insert(words.end(), more.begin(), more.end());
    return start(words);
  }
  /// A copy of a file in examples, in which other texts stand for some; at night the file as it is.
  std::string part_of(const char* name, const std::vector<std::pair<std::string, std::string>>& shorter) {
    std::string text = read_file(std::string(FLITMEND_SOURCE_DIR) + "/examples/" + name);
    for (const auto& [whole, part] : shorter) {
      const std::size_t at = text.find(whole);
      EXPECT_NE(at, text.npos) << name << " has no " << whole;
      if (at != text.npos && kPart) text.replace(at, whole.size(), part);
    }
    return folder_.write(name, text);
  }
  /// The sums of a finished campaign, by the keys of the search's counts.
  Json sums(const std::string& name) const {
    Json sums = Json::object();
    const SweepReader reader(folder_ / name);
    for (const std::int64_t id : reader.identifiers())
      if (const auto stats = reader.stats(id))
        for (const auto& [key, value] : stats->at("exhaustive").items())
          sums[key] = sums.value(key, std::uint64_t{0}) + value.get<std::uint64_t>();
    return sums;
  }
  /// Protocols with cases in which the guard had to repair something.
  std::set<std::string> guarded(const std::string& name) const {
    std::set<std::string> protocols;
    const SweepReader reader(folder_ / name);
    for (const PointRecord& point : reader.points())
      if (const auto stats = reader.stats(point.id); stats && stats->at("exhaustive").at("guarded") != 0u)
        protocols.insert(point.axes.at("recovery.protocol").get<std::string>());
    return protocols;
  }
};

TEST_F(ExhaustiveCampaign, OfSingleFaultsFindsNoFailure) {
  const std::string file =
      part_of("exhaustive-quick.yaml",
              {{"values: [1, 2, 3]", "values: [3]"}, {"[1, 3, 10, 40, permanent]", "[1, 10, permanent]"}});
  EXPECT_EQ(search(file, "o"), 0) << out_ << err_;
  const Json found = sums("o");
  EXPECT_EQ(found.at("failures"), 0u) << found;
  EXPECT_GT(found.at("cases"), kPart ? 60'000u : 300'000u);
  for (const char* end : {"hit", "untouched", "resent", "guarded", "lost", "abandoned", "permanent"})
    EXPECT_GT(found.at(end), 0u) << end;
  EXPECT_EQ(found.at("cases"),
            found.at("untouched").get<std::uint64_t>() + found.at("resent").get<std::uint64_t>() +
                found.at("guarded").get<std::uint64_t>() + found.at("lost").get<std::uint64_t>() +
                found.at("abandoned").get<std::uint64_t>());
  EXPECT_EQ(guarded("o"), std::set<std::string>{"sbrp-2"}) << "only its routers do not ask";
  EXPECT_NE(out_.find(folder_.read("o/exhaustive.md")), out_.npos) << "the table is printed";
}

TEST_F(ExhaustiveCampaign, OfPairsFindsNoFailure) {
  const std::string file =
      part_of("exhaustive-pairs.yaml", {{"values: [1, 2, 4]", "values: [1, 2]"}, {"[3, 10]", "[3]"}});
  EXPECT_EQ(search(file, "o"), 0) << out_ << err_;
  const Json found = sums("o");
  EXPECT_EQ(found.at("failures"), 0u) << found;
  EXPECT_GT(found.at("pairs"), kPart ? 500'000u : 5'000'000u);
}

constexpr const char* kLine =
    "base: {network: {size: [3]}, router: {preset: iq}, simulation: {hierarchy: compact},\n"
    "       traffic: {messages: [{cycle: 1, from: 0, to: 2, length: 3}, {cycle: 4, from: 2, to: 1, length: "
    "2}]}}\n"
    "axes: [{key: router.virtual_channels, values: [1]}]\n"
    "exhaustive: {parts: [router, link, channel], durations: [4]}\n";

/// What the runs of single faults of kLine do, by the keys of the search's counts.
struct RunSums {
  std::uint64_t cases = 0, hit = 0, guarded = 0, resent = 0, untouched = 0, lost = 0;
  void add(const Json& stats) {
    const Json& messages = stats.at("messages");
    const Json recovery = stats.value("recovery", Json::object());
    const auto of = [](const Json& json, const char* key) { return json.value(key, std::uint64_t{0}); };
    ++cases;
    hit += of(messages, "hit") > 0;
    ++(of(messages, "lost") > 0              ? lost
       : of(recovery, "guard_repaired") > 0  ? guarded
       : of(recovery, "retransmissions") > 0 ? resent
                                             : untouched);
  }
};

// A program that is missing, for example while it is linked anew, is this machine's fault: --resume tries
// again.
TEST_F(ExhaustiveCampaign, TriesAgainWhatItsSearchCouldNotStart) {
  namespace fs = std::filesystem;
  const fs::path program = fs::path(FLITMEND_PROGRAM), copy = folder_ / "flitmend";
  fs::copy_file(program, copy);
  const std::vector<std::string> words = {
      copy.string(), "campaign", "--exhaustive", folder_.write("c.yaml", kLine),
      "--quiet",     "--out",    folder_ / "o"};
  EXPECT_NE(run_command(words).status, 0);
  for (const PointRecord& point : SweepReader(folder_ / "o").points())
    EXPECT_NE(point.message.find("it belongs beside flitmend"), point.message.npos) << point.message;
  fs::create_symlink(program.parent_path() / "flitmend-search", folder_ / "flitmend-search");
  std::vector<std::string> again = words;
  again.push_back("--resume");
  const CommandResult result = run_command(again);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_GT(sums("o").at("cases"), 0u);
}

// The same cases, each in a run of its own: fault by fault, cycle by cycle.
TEST_F(ExhaustiveCampaign, CountsWhatRunsDo) {
  folder_.write("c.yaml", kLine);
  for (const std::string protocol : {"none", "sbrp-1", "utp", "apcs", "fcr"}) {
    SCOPED_TRACE(protocol);
    const std::string text = std::string(kLine) + "protocols: [" + protocol + "]\n";
    folder_.write("c.yaml", text);
    ASSERT_EQ(search(folder_ / "c.yaml", protocol), 0) << out_ << err_;
    const Json found = sums(protocol);
    std::string events;
    const auto last = found.at("fault_free_cycles").get<int>();
    for (int cycle = 0; cycle < last; ++cycle)
      for (const std::string part :
           {"node: 0", "node: 1", "node: 2", "link: [0, 1]", "link: [1, 2]", "link: [0, 1], one_way: true",
            "link: [1, 0], one_way: true", "link: [1, 2], one_way: true", "link: [2, 1], one_way: true"})
        events += (events.empty() ? "" : ", ") +
                  ("[{cycle: " + std::to_string(cycle) + ", " + part + ", duration: 4}]");
    folder_.write("s.yaml",
                  "base: {network: {size: [3]}, router: {preset: iq, virtual_channels: 1}, "
                  "simulation: {hierarchy: compact}, recovery: {protocol: " +
                      protocol +
                      "},\n"
                      " traffic: {messages: [{cycle: 1, from: 0, to: 2, length: 3}, {cycle: 4, from: 2, to: "
                      "1, length: 2}]}}\n"
                      "axes: [{key: faults.events, values: [" +
                      events + "]}]\n");
    const std::string runs = protocol + "-runs";
    ASSERT_EQ(start({"sweep", folder_ / "s.yaml", "--quiet", "--out", folder_ / runs}), 0) << out_ << err_;
    RunSums sum;
    const SweepReader reader(folder_ / runs);
    for (const std::int64_t id : reader.identifiers()) sum.add(reader.stats(id).value());
    EXPECT_EQ(found.at("cases"), sum.cases);
    EXPECT_EQ(found.at("hit"), sum.hit);
    EXPECT_EQ(found.at("lost"), sum.lost);
    EXPECT_EQ(found.at("guarded"), sum.guarded);
    EXPECT_EQ(found.at("resent"), sum.resent);
    EXPECT_EQ(found.at("untouched"), sum.untouched);
  }
}

constexpr const char* kScenarios =
    "base: {network: {size: [3]}, simulation: {hierarchy: compact},\n"
    "       traffic: {messages: [{cycle: 0, from: 0, to: 2}]}}\n"
    "axes: [{key: traffic.message_length, values: [1, 2, 3, 4]}, {key: router.preset, values: [iq, sbrp]}]\n"
    "exhaustive: {faults: 2, durations: [3], window: 15}\n"
    "protocols: [fcr, apcs]\n";

TEST_F(ExhaustiveCampaign, ThatWasKilledIsResumedToTheSameResults) {
  folder_.write("c.yaml", kScenarios);
  ASSERT_EQ(search(folder_ / "c.yaml", "whole"), 0) << out_ << err_;
  ProgramProcess process(
      {"campaign", "--exhaustive", folder_ / "c.yaml", "--quiet", "--jobs", "1", "--out", folder_ / "parts"});
  for (int i = 0; i < 600; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    try {
      if (SweepReader::has_results(folder_ / "parts") &&
          SweepReader(folder_ / "parts").identifiers().size() >= 2)
        break;
    } catch (const std::exception&) {
      continue;  // not written yet
    }
  }
  process.signal(SIGKILL);
  process.wait();
  ASSERT_EQ(search(folder_ / "c.yaml", "parts", {"--resume", "--jobs", "3"}), 0) << out_ << err_;
  EXPECT_EQ(folder_.read("parts/exhaustive.csv"), folder_.read("whole/exhaustive.csv"));
}

// Without the escape channel of its ring, a torus can deadlock: the search finds it, and the file that it
// writes repeats it.
TEST_F(ExhaustiveCampaign, WritesTheSmallestFailureOfEachKind) {
  folder_.write("c.yaml",
                "base: {network: {topology: torus, size: [4]}, router: {preset: iq, virtual_channels: 1, "
                "input_buffer: 1},\n"
                "       routing: {algorithm: tfar}, simulation: {hierarchy: compact, max_cycles: 20000},\n"
                "       deadlock: {watchdog: 'off'},\n"
                "       traffic: {messages: [{cycle: 0, from: 0, to: 2, length: 20}, {cycle: 0, from: 1, to: "
                "3, length: 20},\n"
                "                            {cycle: 0, from: 2, to: 0, length: 20}, {cycle: 0, from: 3, to: "
                "1, length: 20}]}}\n"
                "axes: [{key: traffic.message_length, values: [20]}]\n"
                "allow_deadlock: true\n"
                "protocols: [none]\n"
                "exhaustive: {durations: [2], patience: 5000}\n");
  EXPECT_EQ(search(folder_ / "c.yaml", "o"), static_cast<int>(ExitStatus::contract_broken)) << out_ << err_;
  const std::size_t command = out_.find("flitmend run ");
  ASSERT_NE(command, out_.npos) << out_;
  const std::filesystem::path folder = folder_ / "o/failures";
  ASSERT_TRUE(std::filesystem::exists(folder)) << out_;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    EXPECT_EQ(start({"run", file.path(), "--quiet", "--allow-deadlock", "--set", "deadlock.watchdog=stop",
                     "--out", folder_ / "again"}),
              static_cast<int>(ExitStatus::deadlock))
        << file.path() << out_ << err_;
}

// --- Merging of equal states ---

/// Scenarios of two faults in which messages meet, follow each other and are alone, under all protocols.
std::string pairs(const std::string& exhaustive) {
  return "base: {simulation: {hierarchy: compact}, recovery: {backoff_limit: 0}}\n"
         "axes:\n"
         "  - keys: [network, router, traffic.messages]\n"
         "    values:\n"
         "      - [{size: [3]}, {preset: iq}, [{cycle: 0, from: 0, to: 2, length: 3}]]\n"
         "      - [{size: [3]}, {preset: sbrp, virtual_channels: 2},\n"
         "         [{cycle: 0, from: 0, to: 2, length: 2}, {cycle: 1, from: 2, to: 0, length: 2}]]\n"
         "      - [{topology: kns, k: 3, n: 1}, {preset: iq, input_buffer: 1}, [{cycle: 0, from: 0, to: 2, "
         "length: 4}]]\n"
         "exhaustive: {faults: 2, window: 6, durations: [2, 5], " +
         exhaustive + "}\n";
}

TEST_F(ExhaustiveCampaign, CountsTheSameWhenItMergesEqualStates) {
  folder_.write("merged.yaml", pairs("verified: 20"));
  folder_.write("all.yaml", pairs("merge: false"));
  ASSERT_EQ(search(folder_ / "merged.yaml", "merged"), 0) << out_ << err_;
  ASSERT_EQ(search(folder_ / "all.yaml", "all"), 0) << out_ << err_;
  EXPECT_EQ(folder_.read("merged/exhaustive.csv"), folder_.read("all/exhaustive.csv"));
  const SweepReader merged(folder_ / "merged"), all(folder_ / "all");
  std::map<std::string, std::uint64_t> saved;
  std::uint64_t verified = 0;
  for (const PointRecord& point : all.points()) {
    const auto stats = all.stats(point.id);
    if (!stats) continue;  // refused
    const Json one = merged.stats(point.id).value().at("exhaustive"), other = stats->at("exhaustive");
    for (const char* count :
         {"pairs", "permanent", "hit", "untouched", "resent", "guarded", "lost", "abandoned"})
      EXPECT_EQ(one.at(count), other.at(count)) << count << " of point " << point.id;
    EXPECT_EQ(other.at("merged"), 0u);
    verified += one.at("verified").get<std::uint64_t>();
    saved[point.axes.at("recovery.protocol").get<std::string>()] += one.at("merged").get<std::uint64_t>();
  }
  EXPECT_EQ(saved.size(), 8u);
  EXPECT_GT(verified, 0u);
  for (const auto& [protocol, cases] : saved) EXPECT_GT(cases, 0u) << protocol;
}

// What matters is left out of the comparison: a case that is tried although its state is known ends
// otherwise.
TEST_F(ExhaustiveCampaign, NoticesStatesThatAreMergedAlthoughTheyDiffer) {
  const std::string configuration =
      "network: {size: [3]}\nrouter: {preset: iq}\nsimulation: {hierarchy: compact}\n"
      "recovery: {protocol: sbrp-1}\nfaults: {events: [{cycle: 0, node: 0, duration: 1}]}\n"
      "traffic: {messages: [{cycle: 0, from: 0, to: 2, length: 4}]}\n";
  const std::string program =
      (std::filesystem::path(FLITMEND_PROGRAM).parent_path() / "flitmend-search").string();
  for (const std::string omitted : {"", "protocols", "repairs"}) {
    const Json space = {{"faults", 2},
                        {"durations", {3, 10}},
                        {"window", 20},
                        {"parts", {"router", "link", "channel"}},
                        {"merge", true},
                        {"verified", 5},
                        {"omitted", omitted},
                        {"patience", 400'000},
                        {"allow_deadlock", false}};
    const CommandResult result = run_command({program, configuration, space.dump()});
    EXPECT_EQ(result.status == 0, omitted.empty()) << omitted << result.err;
    EXPECT_EQ(result.err.find("merged") != result.err.npos, !omitted.empty()) << result.err;
  }
}

// States in which a case fails are not merged: each of their cases is tried. Here the guard comes too late.
TEST_F(ExhaustiveCampaign, FindsTheSameFailuresWhenItMergesEqualStates) {
  std::string table, failure;
  for (const std::string merge : {"false", "true"}) {
    folder_.write("c.yaml",
                  "base: {network: {size: [3]}, router: {preset: iq}, simulation: {hierarchy: compact},\n"
                  "       traffic: {messages: [{cycle: 0, from: 0, to: 2}]}}\n"
                  "axes: [{key: traffic.message_length, values: [3]}]\n"
                  "protocols: [sbrp-2]\n"
                  "exhaustive: {faults: 2, window: 10, durations: [2, 3], patience: 1000, merge: " +
                      merge + "}\n");
    EXPECT_EQ(search(folder_ / "c.yaml", merge), static_cast<int>(ExitStatus::contract_broken))
        << out_ << err_;
    const std::string found = folder_.read(merge + "/exhaustive.csv");
    const std::string smallest = folder_.read(merge + "/failures/sbrp-2-livelock.yaml");
    EXPECT_EQ(sums(merge).at("merged") > 0u, merge == "true");
    EXPECT_GT(sums(merge).at("failures"), 0u);
    if (!table.empty()) {
      EXPECT_EQ(found, table);
      EXPECT_EQ(smallest, failure);
    }
    table = found;
    failure = smallest;
  }
}

TEST_F(ExhaustiveCampaign, RefusesWhatItCannotTry) {
  const std::string rest =
      "base: {network: {size: [3]}, traffic: {messages: [{cycle: 0, from: 0, to: 2}]}}\n"
      "axes: [{key: traffic.message_length, values: [1]}]\n";
  struct Case {
    std::string text, error;
  };
  for (const Case& c : {
           Case{rest + "exhaustive: {faults: 3}", "exhaustive.faults: 3 is out of range (1 to 2)"},
           Case{rest + "exhaustive: {durations: []}", "exhaustive.durations"},
           Case{rest + "exhaustive: {durations: [forever]}", "exhaustive.durations"},
           Case{rest + "exhaustive: {parts: [switch]}", "expected router, link or channel"},
           Case{rest + "exhaustive: {merge: true}", "exhaustive.merge: no effect with faults: 1"},
           Case{rest + "exhaustive: {faults: 2, merge: false, verified: 9}",
                "exhaustive.verified: no effect with merge: false"},
           Case{rest + "exhaustive: {cycles: 3}", "exhaustive.cycles: unknown key"},
           Case{rest + "hits: 3", "this is a campaign; flitmend campaign runs it"},
           Case{rest + "protocols: [tcp]", "protocols"},
           Case{rest + "exhaustive: {parts: []}", "exhaustive.parts: none"},
           Case{"base: {network: {size: [3]}, faults: {node_rate: 0.1}}\naxes: [{key: traffic.load, values: "
                "[0]}]",
                "faults: an exhaustive campaign tries all faults itself"},
           Case{"base: {network: {size: [3]}}\naxes: [{key: faults.node_rate, values: [0]}]",
                "faults.node_rate: an exhaustive campaign tries all faults itself"},
       }) {
    folder_.write("c.yaml", c.text);
    EXPECT_EQ(search(folder_ / "c.yaml", "o"), static_cast<int>(ExitStatus::bad_usage)) << c.text;
    EXPECT_NE(err_.find(c.error), err_.npos) << err_;
    EXPECT_NE(err_.find("c.yaml"), err_.npos) << err_;
  }
  folder_.write("c.yaml", rest + "exhaustive: {}");
  EXPECT_EQ(start({"campaign", folder_ / "c.yaml", "--out", folder_ / "o"}),
            static_cast<int>(ExitStatus::bad_usage));
  EXPECT_NE(err_.find("flitmend campaign --exhaustive runs it"), err_.npos) << err_;
}

TEST_F(ExhaustiveCampaign, SaysThatItNeedsListedMessages) {
  folder_.write("c.yaml",
                "base: {network: {size: [3]}}\n"
                "axes: [{key: traffic.message_length, values: [1]}]\n"
                "protocols: [utp]\n");
  EXPECT_EQ(search(folder_ / "c.yaml", "o"), static_cast<int>(ExitStatus::bad_usage));
  EXPECT_NE((out_ + err_).find("traffic.messages"), std::string::npos) << out_ << err_;
  folder_.write(
      "c.yaml",
      "base: {network: {size: [3]}, traffic: {messages: [{cycle: 1000000000000, from: 0, to: 2}]}}\n"
      "axes: [{key: traffic.message_length, values: [1]}]\n"
      "protocols: [utp]\n");
  EXPECT_EQ(search(folder_ / "c.yaml", "late"), static_cast<int>(ExitStatus::bad_usage));
  EXPECT_NE((out_ + err_).find("start in cycle 100000 at the latest"), std::string::npos) << out_ << err_;
}

}  // namespace
}  // namespace flitmend
