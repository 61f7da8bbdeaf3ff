// SPDX-License-Identifier: Apache-2.0
// traffic.classes and router.arbitration.
#include <array>
#include <cmath>
#include <sstream>

#include "protocols/recovery/registry.h"
#include "support/program_fixture.h"
#include "support/text_mutator.h"

namespace flitmend {
namespace {

class ClassRuns : public ProgramFixture {
 protected:
  /// A run that must succeed: its classes by name.
  std::map<std::string, nlohmann::ordered_json> classes_of(const std::string& text,
                                                           const std::vector<std::string>& sets = {}) {
    std::vector<std::string> words = {"--out", folder_ / "o"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    std::filesystem::remove_all(folder_ / "o");
    EXPECT_EQ(run(text, words), 0) << err_;
    std::map<std::string, nlohmann::ordered_json> classes;
    const nlohmann::ordered_json all = stats("o");
    for (const auto& one : all["classes"]) classes[one["name"].get<std::string>()] = one;
    return classes;
  }
  /// Refuses the text, with that in the message.
  void refuses(const std::string& text, const std::string& message) {
    EXPECT_EQ(run(text), 2) << text;
    EXPECT_NE(err_.find(message), err_.npos) << text << "\n" << err_;
    EXPECT_NE(err_.find("c.yaml:"), err_.npos) << err_;
  }
};

/// Three classes of weights 1, 2 and 5 (or priorities) that all want the last link of a line.
std::string line_of_three(const std::string& router, const std::vector<std::string>& keys,
                          const std::vector<std::string>& flows) {
  std::string text =
      "network: {size: [4]}\nrouter: {" + router + "}\ntraffic:\n  message_length: 20\n  classes:\n";
  const char* const names[] = {"a", "b", "c"};
  for (unsigned i = 0; i < 3; ++i) text += std::string("    - {name: ") + names[i] + ", " + keys[i] + "}\n";
  text += "  flows:\n";
  for (unsigned i = 0; i < 3; ++i) text += "    - {" + flows[i] + ", class: " + names[i] + "}\n";
  return text + "simulation: {warmup: 2000, measure: 40000, drain: false}\n";
}

const std::vector<std::string> kWeights = {"weight: 1, virtual_channels: own",
                                           "weight: 2, virtual_channels: own",
                                           "weight: 5, virtual_channels: own"};

// Every class always wants the link: it gets the share of its weight, from different inputs or from one.
TEST_F(ClassRuns, ShareASaturatedLinkByTheirWeights) {
  const std::vector<std::vector<std::string>> all_flows = {
      {"from: 0, to: 3, rate: 0.9", "from: 1, to: 3, rate: 0.9",
       "from: 2, to: 3, rate: 0.9"},  // three inputs
      {"from: 2, to: 3, rate: 0.9", "from: 1, to: 3, rate: 0.9", "from: 0, to: 3, rate: 0.9"},
      {"from: 0, to: 3, rate: 0.33", "from: 0, to: 3, rate: 0.33", "from: 0, to: 3, rate: 0.33"},
      {"from: 0;1, to: 3, rate: 0.45", "from: 0;1, to: 3, rate: 0.4", "from: 2, to: 3, rate: 0.9"}};
  for (const auto& flows : all_flows) {
    const bool saturated = flows[0].find("0.33") == std::string::npos;
    auto classes = classes_of(line_of_three("arbitration: weighted, virtual_channels: 6", kWeights, flows));
    ASSERT_EQ(classes.size(), 3u);
    const double weights[] = {1 / 8.0, 2 / 8.0, 5 / 8.0};
    const char* const names[] = {"a", "b", "c"};
    for (unsigned i = 0; i < 3; ++i) {
      const auto& one = classes[names[i]];
      if (saturated) {
        EXPECT_NEAR(one["accepted"].get<double>(), weights[i], 0.01 * weights[i]) << flows[0] << names[i];
      }
      EXPECT_LE(one["longest_wait"].get<unsigned>(), one["wait_bound"].get<unsigned>()) << names[i];
      EXPECT_EQ(one["wait_bound"], 8 - std::lround(8 * weights[i]));
      EXPECT_EQ(one["starvations"], 0);
    }
  }
}

/// Routers with output buffers: links choose among the virtual channels behind them. Of `sbrp`, a virtual
/// channel fills only a part of a link, so that a class needs several.
const std::vector<std::string> kWithOutputBuffers = {
    "preset: sbrp, virtual_channels: 18", "preset: kns, virtual_channels: 6",
    "output_buffer: 8, input_buffer: 16, virtual_channels: 6"};

TEST_F(ClassRuns, ShareALinkBehindOutputBuffersByTheirWeights) {
  const double weights[] = {1 / 8.0, 2 / 8.0, 5 / 8.0};
  const char* const names[] = {"a", "b", "c"};
  for (const std::string& router : kWithOutputBuffers) {
    auto classes = classes_of(line_of_three("arbitration: weighted, " + router, kWeights,
                                            {"from: 0, to: 3, rate: 0.9", "from: 1, to: 3, rate: 0.9",
                                             "from: 2, to: 3, rate: 0.9"}),
                              {"traffic.message_length=5", "simulation.measure=100000"});
    ASSERT_EQ(classes.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
      const auto& one = classes[names[i]];
      EXPECT_NEAR(one["accepted"].get<double>(), weights[i], 0.01 * weights[i]) << router << ' ' << names[i];
      EXPECT_EQ(one["wait_bound"], 8 - std::lround(8 * weights[i]));
      EXPECT_LE(one["longest_wait"].get<unsigned>(), one["wait_bound"].get<unsigned>())
          << router << ' ' << names[i];
      EXPECT_EQ(one["starvations"], 0);
    }
  }
}

TEST_F(ClassRuns, OfGreaterPriorityGoFirstBehindOutputBuffers) {
  const std::vector<std::string> keys = {"priority: 0, virtual_channels: own",
                                         "priority: 1, virtual_channels: own",
                                         "priority: 2, virtual_channels: own"};
  for (const std::string& router : kWithOutputBuffers) {
    auto classes = classes_of(line_of_three(
        "arbitration: strict, " + router, keys,
        {"from: 0, to: 3, rate: 0.9", "from: 1, to: 3, rate: 0.9", "from: 2, to: 3, rate: 0.3"}));
    EXPECT_NEAR(classes["c"]["accepted"].get<double>(), 0.3, 0.01) << router;
    EXPECT_NEAR(classes["b"]["accepted"].get<double>(), 0.7, 0.01) << router;
    EXPECT_LT(classes["a"]["accepted"].get<double>(), 0.01) << router;
    EXPECT_EQ(classes["c"]["longest_wait"], 0) << router;
    EXPECT_TRUE(classes["a"]["wait_bound"].is_null());
    EXPECT_GT(classes["a"]["longest_wait"].get<unsigned>(), 1000u) << router;
  }
}

// The oldest message arrives as if it were alone, although three others want its last link; by turns it does
// not.
TEST_F(ClassRuns, TheOldestMessagePassesOthersBehindOutputBuffers) {
  const std::string oldest = "{cycle: 0, from: 0, to: 3, length: 40}";
  std::string others;
  for (int i = 0; i < 3; ++i) others += ", {cycle: 1, from: 2, to: 3, length: 40}";
  for (const std::string router : {"preset: sbrp", "preset: kns, virtual_channels: 4", "output_buffer: 2"}) {
    const auto arrival = [&](const std::string& messages, const std::string& rule) {
      std::filesystem::remove_all(folder_ / "o");
      EXPECT_EQ(run("network: {size: [4]}\nrouter: {arbitration: " + rule + ", " + router +
                        "}\nnetwork_interface: {injection: buffers, injection_latency: 0, ejection: "
                        "unlimited}\ntraffic: {messages: [" +
                        messages + "]}\nstatistics: {messages: true}\n",
                    {"--out", folder_ / "o"}),
                0)
          << err_;
      std::istringstream lines(read_file(folder_ / "o" + "/messages.csv"));
      for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields;
        std::istringstream text(line);
        for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
        if (fields.at(0) == "0" && fields.at(1) == "0") return std::stoul(fields.at(8));
      }
      ADD_FAILURE() << "message 0 of node 0 is not in messages.csv";
      return 0ul;
    };
    const unsigned long alone = arrival(oldest, "oldest-first");
    EXPECT_EQ(arrival(oldest, "round-robin"), alone) << router;
    EXPECT_EQ(arrival(oldest + others, "oldest-first"), alone) << router;
    EXPECT_GT(arrival(oldest + others, "round-robin"), alone + 10) << router;
  }
}

// One node sends all classes: they share its injection channel.
TEST_F(ClassRuns, ShareAnInjectionChannelByTheirWeights) {
  auto classes = classes_of(
      "network: {size: [4]}\nrouter: {arbitration: weighted, virtual_channels: 4}\n"
      "traffic:\n  message_length: 20\n  classes: [{name: a, weight: 1, virtual_channels: own}, "
      "{name: b, weight: 3, virtual_channels: own}]\n"
      "  flows: [{from: 0, to: 3, rate: 0.3, process: fixed-interval, class: a}, {from: 0, to: 1, rate: 0.7, "
      "process: fixed-interval, class: b}]\n"
      "simulation: {warmup: 0, measure: 60000, drain: false}\n",
      {"network_interface.source_queue=4"});
  // Class a wants .3 and b .7 of the channel, which is all of it: a gets what b leaves.
  EXPECT_NEAR(classes["b"]["accepted"].get<double>(), 0.7, 0.02);
  EXPECT_LE(classes["b"]["longest_wait"].get<unsigned>(), 1u);
}

TEST_F(ClassRuns, OfGreaterPriorityGoFirstAndOthersMayStarve) {
  const std::vector<std::string> keys = {"priority: 0, virtual_channels: own",
                                         "priority: 1, virtual_channels: own",
                                         "priority: 2, virtual_channels: own"};
  auto classes = classes_of(
      line_of_three("arbitration: strict, virtual_channels: 6", keys,
                    {"from: 0, to: 3, rate: 0.9", "from: 1, to: 3, rate: 0.9", "from: 2, to: 3, rate: 0.3"}),
      {"traffic.starvation_limit=50"});
  EXPECT_NEAR(classes["c"]["accepted"].get<double>(), 0.3, 0.01);
  EXPECT_NEAR(classes["b"]["accepted"].get<double>(), 0.7, 0.01);
  EXPECT_LT(classes["a"]["accepted"].get<double>(), 0.01);
  EXPECT_EQ(classes["c"]["wait_bound"], 0);
  EXPECT_EQ(classes["c"]["longest_wait"], 0);
  EXPECT_TRUE(classes["a"]["wait_bound"].is_null());
  EXPECT_GT(classes["a"]["longest_wait"].get<unsigned>(), 1000u);
  EXPECT_GE(classes["a"]["starvations"].get<unsigned>(), 1u);
}

// Bound and shares where classes meet in every router, on virtual channels of their own or shared ones.
TEST_F(ClassRuns, KeepTheBoundInAMesh) {
  for (const char* const vcs : {"own", "shared"})
    for (const char* const iterations : {"1", "3"}) {
      auto classes = classes_of(
          std::string(
              "network: {size: [4, 4]}\nrouter: {arbitration: weighted, virtual_channels: 6}\ntraffic:\n"
              "  classes: [{name: a, weight: 1, virtual_channels: ") +
              vcs + "}, {name: b, weight: 2, virtual_channels: " + vcs +
              "}, {name: c, weight: 4, virtual_channels: " + vcs +
              "}]\n  flows: [{pattern: uniform, load: 0.5, class: a}, {pattern: hotspot, load: 0.3, class: "
              "b}, "
              "{pattern: transpose, load: 0.2, class: c}]\n"
              "simulation: {warmup: 0, measure: 6000, drain: false}\n",
          {std::string("router.allocator_iterations=") + iterations});
      unsigned longest = 0;
      for (const auto& [name, one] : classes) {
        EXPECT_LE(one["longest_wait"].get<unsigned>(), one["wait_bound"].get<unsigned>())
            << name << " " << vcs;
        longest = std::max(longest, one["longest_wait"].get<unsigned>());
      }
      EXPECT_GE(longest, 3u) << vcs;
    }
}

// Nothing is lost or sent twice under faults, and no wait exceeds its bound.
TEST_F(ClassRuns, KeepContractAndBoundUnderFaultsWithEveryProtocol) {
  unsigned longest = 0;
  bool shared = false;
  for (const RecoveryEntry& protocol : recovery_protocols().entries())
    for (const std::string rule : {"strict", "weighted", "oldest-first"}) {
      const std::string vcs = shared ? "shared" : "own";
      shared = !shared;
      const std::string key = rule == "strict" ? ", priority: 1" : rule == "weighted" ? ", weight: 3" : "";
      auto classes = classes_of(
          "network: {size: [5, 5]}\nrouter: {arbitration: " + rule +
          "}\nrecovery: {protocol: " + std::string(protocol.name) +
          "}\nfaults: {node_rate: 2e-4, link_rate: 2e-4, duration: 60}\nrouting: {head_wait_cycles: 20}\n"
          "traffic: {message_length: 8, classes: [{name: a, virtual_channels: " +
          vcs + "}, {name: b, virtual_channels: " + vcs + key +
          "}], flows: [{pattern: uniform, load: 0.15, class: a}, {pattern: transpose, load: 0.1, class: "
          "b}]}\n"
          "simulation: {warmup: 0, measure: 1500, max_cycles: 40000}\n");
      for (const auto& [name, one] : classes) {
        const auto wait = one["longest_wait"].get<unsigned>();
        if (one["wait_bound"].is_null()) continue;
        EXPECT_LE(wait, one["wait_bound"].get<unsigned>()) << protocol.name << " " << rule << " " << name;
        longest = std::max(longest, wait);
      }
    }
  EXPECT_EQ(longest, 3u);
}

TEST_F(ClassRuns, KeepContractAndBoundBehindOutputBuffersWithEveryProtocol) {
  unsigned next = 0, longest = 0;
  for (const RecoveryEntry& protocol : recovery_protocols().entries()) {
    const std::string rule = std::array{"weighted", "strict", "oldest-first"}.at(next++ % 3);
    const std::string key = rule == "strict" ? ", priority: 1" : rule == "weighted" ? ", weight: 3" : "";
    auto classes = classes_of(
        "network: {size: [4, 4]}\nrouter: {preset: sbrp, arbitration: " + rule +
        "}\nrecovery: {protocol: " + std::string(protocol.name) +
        "}\nfaults: {node_rate: 2e-4, link_rate: 2e-4, duration: 60}\nrouting: {head_wait_cycles: 20}\n"
        "traffic: {message_length: 8, classes: [{name: a, virtual_channels: own}, {name: b, "
        "virtual_channels: own" +
        key +
        "}], flows: [{pattern: uniform, load: 0.1, class: a}, {pattern: transpose, load: 0.1, class: b}]}\n"
        "simulation: {warmup: 0, measure: 1500, max_cycles: 40000}\n");
    for (const auto& [name, one] : classes) {
      const auto wait = one["longest_wait"].get<unsigned>();
      longest = std::max(longest, wait);
      if (one["wait_bound"].is_null()) continue;
      EXPECT_LE(wait, one["wait_bound"].get<unsigned>()) << protocol.name << " " << rule << " " << name;
    }
  }
  EXPECT_GE(longest, 1u);
}

// Where nothing competes, every rule gives the same latencies, message by message.
TEST_F(ClassRuns, ARuleChangesNothingWithoutCompetition) {
  std::string messages;
  for (int i = 0; i < 40; ++i)
    messages += (i ? ", " : "") + ("{cycle: " + std::to_string(100 * i)) +
                ", from: " + std::to_string(i % 16) + ", to: " + std::to_string((i + 1 + i % 7) % 16) + "}";
  const std::string text =
      "network: {size: [4, 4]}\ntraffic: {messages: [" + messages + "]}\nstatistics: {messages: true}\n";
  std::string turns;
  for (const char* const rule : {"round-robin", "oldest-first"}) {
    std::filesystem::remove_all(folder_ / "o");
    ASSERT_EQ(run(text, {"--out", folder_ / "o", "--set", std::string("router.arbitration=") + rule}), 0)
        << err_;
    const std::string written = read_file(folder_ / "o" + "/messages.csv");
    if (turns.empty()) turns = written;
    EXPECT_EQ(written, turns) << rule;
    EXPECT_GT(written.size(), 400u);
  }
}

// Their registers are in waves.
TEST_F(ClassRuns, ShowTheirRegisters) {
  const std::string text =
      "network: {size: [2, 2]}\nrouter: {arbitration: weighted}\ntraffic: {classes: [{name: a}, {name: b, "
      "weight: 3}], "
      "flows: [{from: 0, to: 3, rate: 0.4, class: a}, {from: 0, to: 3, rate: 0.4, class: b}]}\n"
      "simulation: {warmup: 0, measure: 100}\nwaves: {enabled: true, format: vcd}\n";
  ASSERT_EQ(run(text, {"--out", folder_ / "o"}), 0) << err_;
  const std::string waves = read_file(folder_ / "o" + "/waves.vcd");
  for (const char* const name : {"message_class", "grants_left", "place", "grant_pointer", "vc_pointer"})
    EXPECT_NE(waves.find(std::string(" ") + name + " "), waves.npos) << name;
  EXPECT_NE(waves.find("class1"), waves.npos);
}

// The tail of the latencies becomes shorter and the mean rises, as in BookSim2 with priority = age.
TEST_F(ClassRuns, OldestFirstShortensTheTailAndRaisesTheMean) {
  for (const char* const seed : {"1", "2"}) {
    const std::string text =
        std::string(
            "network: {size: [8, 8]}\nrouter: {preset: iq}\ntraffic: {flows: [{pattern: uniform, load: 0.36, "
            "include_self: true}]}\nsimulation: {warmup: 2000, measure: 18000, seed: ") +
        seed + "}\nstatistics: {flows: true}\n";
    const auto flow = [&](const std::string& arbitration) {
      std::filesystem::remove_all(folder_ / "o");
      EXPECT_EQ(run(text, {"--out", folder_ / "o", "--set", "router.arbitration=" + arbitration}), 0) << err_;
      return stats("o")["flows"][0];
    };
    const auto turns = flow("round-robin"), oldest = flow("oldest-first");
    EXPECT_LT(oldest["p999"].get<double>(), 0.95 * turns["p999"].get<double>()) << seed;
    EXPECT_GT(oldest["mean"].get<double>(), turns["mean"].get<double>()) << seed;
    std::cout << "seed " << seed << ": mean " << turns["mean"] << " -> " << oldest["mean"] << ", p99.9 "
              << turns["p999"] << " -> " << oldest["p999"] << '\n';
  }
}

/// A mesh on which two closed-loop classes have these virtual channels.
std::string closed_loop(const std::string& request, const std::string& reply,
                        const std::string& dependencies) {
  return "network: {size: [4, 4]}\nrouter: {virtual_channels: 4}\ntraffic:\n  mode: closed-loop\n  "
         "outstanding: 4\n"
         "  classes: [{name: request, virtual_channels: " +
         request + "}, {name: reply, virtual_channels: " + reply + "}]\n" +
         (dependencies.empty() ? "" : "  class_dependencies: " + dependencies + "\n") +
         "simulation: {warmup: 100, measure: 2000}\n";
}

TEST_F(ClassRuns, CheckProvesEachClassAndTheirDependencies) {
  EXPECT_EQ(check(closed_loop("own", "own", "request -> reply"), {"--no-cache"}), 0) << out_ << err_;
  EXPECT_NE(out_.find("2 classes of messages in 2 virtual networks, each: dimension-order"), out_.npos)
      << out_;
  EXPECT_NE(out_.find("with 2 virtual channels"), out_.npos) << out_;
  EXPECT_NE(out_.find("These waits have no cycle"), out_.npos) << out_;
  // On the same virtual channels requests wait for replies behind them.
  EXPECT_EQ(check(closed_loop("shared", "shared", "request -> reply"), {"--no-cache"}), 4) << out_ << err_;
  EXPECT_NE(out_.find("wait for each other on the same virtual channels: can deadlock"), out_.npos) << out_;
  EXPECT_NE(out_.find("waits for"), out_.npos) << out_;
  // Without the dependency nothing waits.
  EXPECT_EQ(check(closed_loop("shared", "shared", ""), {"--no-cache"}), 0) << out_ << err_;
  // Classes that wait in a cycle deadlock on any channels.
  EXPECT_EQ(check(closed_loop("own", "own", "request -> reply -> request"), {"--no-cache"}), 4) << out_;
  EXPECT_NE(out_.find("request -> reply -> request"), out_.npos) << out_;
}

TEST_F(ClassRuns, CheckSeesNetworksThatWaitForEachOther) {
  const std::string text =
      "network: {size: [3, 3]}\nrouter: {virtual_channels: 4}\ntraffic:\n"
      "  classes: [{name: a, virtual_channels: 0-1}, {name: b, virtual_channels: 2-3}, {name: c, "
      "virtual_channels: "
      "0-1}]\n  class_dependencies: a -> b, b -> c\n"
      "  flows: [{pattern: uniform, load: 0.1, class: a}, {pattern: uniform, load: 0.1, class: b}, {pattern: "
      "uniform, "
      "load: 0.1, class: c}]\n";
  EXPECT_EQ(check(text, {"--no-cache"}), 6) << out_ << err_;
  EXPECT_NE(out_.find("virtual channels 0-1 -> virtual channels 2-3 -> virtual channels 0-1"), out_.npos)
      << out_;
  EXPECT_EQ(run(text), 2);  // nor does a run start
}

// An algorithm that needs two virtual channels needs them in every network.
TEST_F(ClassRuns, CheckProvesATorusPerClass) {
  const std::string torus =
      "network: {topology: torus, size: [4, 4]}\ntraffic:\n  classes: [{name: a, virtual_channels: own}, "
      "{name: b, "
      "virtual_channels: own}]\n  flows: [{pattern: uniform, load: 0.2, class: a}, {pattern: transpose, "
      "load: 0.2, "
      "class: b}]\nsimulation: {warmup: 100, measure: 1000}\n";
  EXPECT_EQ(check("router: {virtual_channels: 4}\n" + torus, {"--no-cache"}), 0) << out_;
  EXPECT_EQ(run("router: {virtual_channels: 4}\n" + torus), 0) << err_;
  refuses("router: {virtual_channels: 2}\n" + torus, "needs 2 for each class");
}

// Sets of faults, faults of the run, graphs and pictures are about every virtual network.
TEST_F(ClassRuns, CheckJudgesTheNetworkOfEachClass) {
  const std::string duato =
      "network: {size: [3, 3]}\nrouting: {algorithm: reliable-router}\nrouter: {virtual_channels: 11}\n"
      "traffic:\n  classes: [{name: a, virtual_channels: 0-4}, {name: b, virtual_channels: 5-10}]\n  flows: "
      "[{pattern: uniform, load: 0.1, class: a}, {pattern: uniform, load: 0.1, class: b}]\n";
  EXPECT_EQ(check(duato, {"--faults", "single", "--no-cache"}), 0) << out_ << err_;
  const std::string graph = folder_ / "g.dot", picture = folder_ / "p.svg";
  EXPECT_EQ(check(duato, {"--graph", graph, "--picture", picture}), 0) << out_ << err_;
  const std::string text = read_file(graph);
  EXPECT_NE(text.find("// class 'a', on virtual channels 0-4: reliable-router on a 3x3 mesh with 5"),
            text.npos);
  EXPECT_NE(text.find("// class 'b', on virtual channels 5-10: reliable-router on a 3x3 mesh with 6"),
            text.npos);
  EXPECT_NE(read_file(picture).find("a&#39;, on virtual channels 0-4: reliable-router"), std::string::npos);
  // Where the networks differ, each is named: tfar deadlocks with any number.
  const std::string tfar =
      "network: {size: [3, 3]}\nrouting: {algorithm: tfar}\nrouter: {virtual_channels: 3}\ntraffic:\n  "
      "classes: [{name: a, virtual_channels: 0}, {name: b, virtual_channels: 1-2}]\n  flows: [{pattern: "
      "uniform, load: 0.1, class: a}, {pattern: uniform, load: 0.1, class: b}]\n";
  EXPECT_EQ(check(tfar, {"--faults", "single", "--no-cache"}), 4) << out_ << err_;
  EXPECT_NE(out_.find("class 'a', on virtual channels 0:\n"), out_.npos) << out_;
  EXPECT_NE(out_.find("class 'b', on virtual channels 1-2:\n"), out_.npos) << out_;
}

// Messages stay on the virtual channels of their class, and what a run writes does not depend on the threads.
TEST_F(ClassRuns, ClosedLoopsHaveClasses) {
  auto own = classes_of(closed_loop("0-2", "3", "request -> reply"));
  ASSERT_EQ(own.size(), 2u);
  for (const char* const name : {"request", "reply"}) {
    EXPECT_GT(own[name]["messages"].get<unsigned>(), 1000u) << name;
    for (const char* const figure : {"offered", "accepted", "mean", "p50", "p95", "p99", "p999"})
      EXPECT_TRUE(own[name][figure].is_number()) << name << " " << figure;
    EXPECT_FALSE(own[name].contains("longest_wait"));  // round-robin knows no classes
  }
  auto strict = classes_of(closed_loop("shared", "shared", ""), {"router.arbitration=strict"});
  EXPECT_TRUE(strict["reply"].contains("longest_wait"));
}

TEST_F(ClassRuns, TracesHaveAColumnOfClasses) {
  std::string trace = "cycle,source,destination,bytes,class\n";
  for (int i = 0; i < 400; ++i)
    trace += std::to_string(i / 4 * 3) + "," + std::to_string(i % 16) + ",5,64," +
             (i % 2 == 0 ? "read" : "write") + "\n";
  folder_.write("t.csv", trace);
  const std::string text =
      "network: {size: [4, 4]}\nrouter: {arbitration: strict}\ntraffic: {trace: t.csv, classes: "
      "[{name: read, priority: 1}, {name: write}]}\n";
  auto classes = classes_of(text);
  EXPECT_EQ(classes["read"]["messages"], 200);
  EXPECT_LT(classes["read"]["mean"].get<double>(), 0.8 * classes["write"]["mean"].get<double>());
}

// traffic.class is that of messages without a class of their own.
TEST_F(ClassRuns, MatricesTablesAndTaskGraphsHaveClasses) {
  std::string matrix;
  for (unsigned s = 0; s < 16; ++s)
    for (unsigned d = 0; d < 16; ++d)
      matrix += std::string(d == (s + 5) % 16 ? ".1" : "0") + (d == 15 ? "\n" : ",");
  folder_.write("m.csv", matrix);
  folder_.write("n.txt", "0 5 .02\n3 5 .02\n");
  folder_.write("t.csv", "cycle,source,destination,bytes,class\n0,0,5,8,b\n1,1,5,8\n2,1,6,8,\n");
  folder_.write("g.yaml",
                "tasks: [x, y]\nedges: [{from: x, to: y, bytes: 64, class: b}, {from: y, to: x, bytes: 8, "
                "tokens: 1}]\nmapping: {x: 0, y: 5}\n");
  const std::string mesh =
      "network: {size: [4, 4]}\nrouter: {arbitration: weighted}\ntraffic: {classes: "
      "[{name: a, weight: 2, virtual_channels: own}, {name: b, virtual_channels: own}], ";
  for (const std::string traffic :
       {"class: a, matrix: m.csv, flows: [{from: 0, to: 1, rate: .1, class: b}]}",
        "class: a, noxim_table: n.txt, flows: [{from: 0, to: 1, rate: .1, class: b}]}",
        "flows: [{matrix: m.csv, class: a}, {matrix: m.csv, class: b, length: 9}]}",
        "class: a, task_graph: g.yaml, iterations: 5}", "class: a, trace: t.csv}"}) {
    auto classes = classes_of(mesh + traffic);
    ASSERT_EQ(classes.size(), 2u) << traffic;
    for (const char* const name : {"a", "b"}) EXPECT_GT(classes[name]["messages"], 0) << traffic;
    if (traffic.find("trace") != traffic.npos) {
      EXPECT_EQ(classes["a"]["messages"], 2);
    }
  }
  EXPECT_EQ(run(mesh + "task_graph: g.yaml}"), 2);
  EXPECT_NE(err_.find("g.yaml:2:48: class: the messages of 'y->x' have no class; give them one of a, b, set "
                      "traffic.class, or "
                      "remove traffic.classes"),
            err_.npos)
      << err_;
  folder_.write("t.csv", "cycle,source,destination,bytes,class\n0,0,5,8,b\n1,1,5,8,c\n");
  EXPECT_EQ(run(mesh + "trace: t.csv}"), 2);
  EXPECT_NE(
      err_.find("t.csv:3:9: class: the messages of 'c' have class 'c', which is not in traffic.classes"),
      err_.npos)
      << err_;
}

TEST_F(ClassRuns, CollectivesHaveClasses) {
  auto classes = classes_of(
      "network: {size: [4, 4]}\nrouter: {arbitration: weighted}\ntraffic: {collectives: [{collective: "
      "all-to-all, "
      "bytes: 900}, {collective: broadcast, bytes: 90}], classes: [{name: all-to-all}, {name: broadcast, "
      "weight: 3}]}\n");
  EXPECT_EQ(classes.size(), 2u);
}

TEST_F(ClassRuns, RefuseWhatHasNoClassAndKeysWithoutEffect) {
  const std::string mesh = "network: {size: [4, 4]}\n";
  const auto flows = [&](const std::string& classes, const std::string& of = "a") {
    return mesh + "traffic:\n  classes: " + classes +
           "\n  flows: [{pattern: uniform, load: 0.1, class: " + of + "}]\n";
  };
  refuses(mesh + "traffic: {classes: [{name: a}]}\n", "list it as a flow");
  refuses(mesh + "traffic: {classes: [{name: a}], messages: [{cycle: 1, from: 0, to: 1}]}\n", "CSV trace");
  refuses(mesh + "traffic: {classes: [{name: a}], flows: [{pattern: uniform, load: 0.1}]}\n",
          "have no class");
  refuses(flows("[{name: a}, {name: b}]"), "no message has class 'b'");
  refuses(flows("[{name: ab}]"), "did you mean 'ab'");
  refuses(flows("[{name: a}, {name: a}]"), "a class before has the name");
  refuses(flows("[{weight: 2}]"), "give the class a name");
  refuses(flows("[{name: 'a -> b'}]"), "no arrow");
  refuses(flows("[{name: a, weight: 2}]"), "set router.arbitration to weighted");
  refuses(flows("[{name: a, priority: 2}]"), "set router.arbitration to strict");
  refuses("router: {arbitration: weighted}\n" + flows("[{name: a, weight: 0}]"), "out of range");
  refuses("router: {arbitration: weighted}\n" + flows("[{name: a, weight: 1001}]"), "out of range");
  refuses("router: {arbitration: weighted}\n" + flows("[{name: a, priority: 1}]"), "no effect");
  refuses("router: {arbitration: strict}\n" + mesh, "needs classes of messages");
  refuses(flows("[{name: a, virtual_channels: 4}]"), "the last one is 3");
  refuses(flows("[{name: a, virtual_channels: 2-1}]"), "lower number first");
  refuses(flows("[{name: a, virtual_channels: two}]"), "own, shared, or a range");
  refuses(flows("[{name: a, virtual_channels: 0-2}]"), "no class has virtual channel 3");
  refuses(flows("[{name: a, virtual_channels: 0-2}, {name: b, virtual_channels: 2-3}]"), "overlap");
  refuses(flows("[{name: a, virtual_channels: own}, {name: b, virtual_channels: own}, {name: c}]"),
          "set router.virtual_channels to 6");
  refuses(flows("[{name: a, virtual_channels: 1-2}, {name: b}]"), "at one end");
  refuses(flows("[{name: a, colour: red}]"), "unknown key 'colour'");
  refuses(flows("[{name: a}]\n  class_dependencies: a -> b"), "there is no class 'b'");
  refuses(flows("[{name: a}]\n  class_dependencies: a"), "names one class");
  refuses(flows("[{name: a}]\n  flow: 1"), "unknown key");
  refuses(
      flows("[{name: a},{name: b},{name: c},{name: d},{name: e},{name: f},{name: g},{name: h},{name: i}]"),
      "at most 8");
  refuses(flows("[{name: a, virtual_channels: own}]", "c"),
          "c.yaml:4:48: class: the messages of '0' have class 'c'");
  refuses("router: {virtual_channels: 64}\n" +
              flows("[{name: a, virtual_channels: own}, {name: b, virtual_channels: own}, {name: c}]"),
          "set router.virtual_channels to 63");
  refuses(
      "network: {topology: torus, size: [4, 4]}\nrouter: {virtual_channels: 8}\nrouting: {algorithm: "
      "dimension-order}\ntraffic: {class: b, classes: [{name: a}], flows: [{pattern: uniform, load: .1}]}\n",
      "traffic.class: there is no class 'b' in traffic.classes");
  refuses(
      mesh + "traffic: {class: a, classes: [{name: a}], flows: [{pattern: uniform, load: .1, class: a}]}\n",
      "traffic.class: it has no effect, because every message has a class");
}

// Damaged texts: an answer in time, never a crash, and an error names its place.
TEST_F(ClassRuns, SurviveDamagedTexts) {
  const std::string text =
      "network: {size: [3, 3]}\nrouter: {arbitration: strict, virtual_channels: 4}\ntraffic:\n  classes:\n   "
      " - {name: "
      "request, virtual_channels: 0-1, priority: 1, weight: 3}\n    - {name: reply, virtual_channels: own}\n"
      "  class_dependencies: request -> reply\n  starvation_limit: 9\n  flows:\n    - {pattern: uniform, "
      "load: 0.1, "
      "class: request}\n    - {from: 0, to: 8, rate: 0.1, class: reply}\nsimulation: {warmup: 10, measure: "
      "50, "
      "max_cycles: 500}\n";
  ASSERT_EQ(run(text), 0) << err_;
  test::TextMutator mutator(11);
  for (int i = 0; i < 60; ++i) {
    const int status = run(mutator.mutate(text));
    EXPECT_TRUE(status == 0 || status == 2 || status == 3 || status == 4 || status == 6) << status << '\n'
                                                                                         << err_;
    if (status == 2) {
      EXPECT_NE(err_.find("flitmend: "), err_.npos) << err_;
    }
  }
}

}  // namespace
}  // namespace flitmend
