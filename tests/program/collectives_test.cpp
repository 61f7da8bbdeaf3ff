// SPDX-License-Identifier: Apache-2.0
// traffic.collectives.
#include <cmath>
#include <set>
#include <sstream>

#include "support/program_fixture.h"
#include "testbench/run_end.h"

namespace flitmend {
namespace {

class Collectives : public ProgramFixture {
 protected:
  /// The ring of n nodes; two nodes are a line.
  static std::string ring(unsigned n) {
    return (n > 2 ? "{topology: torus, size: [" : "{size: [") + std::to_string(n) + "]}";
  }
  /// The results of one collective on an otherwise idle network with preset iq.
  nlohmann::ordered_json collective(const std::string& network, const std::string& keys,
                                    const std::string& more = "") {
    EXPECT_EQ(run("network: " + network + "\nrouter: {preset: iq}\ntraffic: {collectives: [{" + keys +
                      "}]}\n" + more,
                  {"--out", folder_ / "o"}),
              0)
        << err_;
    const auto results = stats("o");
    EXPECT_EQ(results["contract"]["holds"], true);
    EXPECT_EQ(results["messages"]["in_flight"], 0);
    const auto one = results["collectives"]["list"][0];
    EXPECT_EQ(one["completed"], one["repetitions"]) << one;
    EXPECT_EQ(one["wrong"], 0);
    EXPECT_EQ(one["missing"], "");
    return one;
  }
};

/// Bytes of a message of that many flits.
std::uint64_t bytes_of(std::uint64_t flits) {
  return (flits - 2) * 8;
}

constexpr std::uint64_t kLengths[] = {2, 3, 11};

// 2(n − 1)(12 + P) + (n − 1)r − 1, for messages of P flits and r cycles to combine.
TEST_F(Collectives, RingAllReduceTakesItsClosedForm) {
  for (unsigned n = 2; n <= 16; ++n)
    for (const std::uint64_t flits : kLengths)
      for (const unsigned combine : {0u, 5u}) {
        if (combine > 0 && n % 5 > 0) continue;
        const auto r = collective(ring(n), "collective: all-reduce, algorithm: ring, bytes: " +
                                               std::to_string(n * bytes_of(flits)) +
                                               ", combine_time: " + std::to_string(combine));
        const std::uint64_t time = 2 * (n - 1) * (12 + flits) + (n - 1) * combine - 1;
        EXPECT_EQ(r["time"], time) << n << ' ' << flits;
        EXPECT_EQ(r["end"], time);
        const double bandwidth = static_cast<double>(n * bytes_of(flits)) / static_cast<double>(time);
        EXPECT_NEAR(r["algorithm_bandwidth"].get<double>(), bandwidth, 1e-12);
        EXPECT_NEAR(r["bus_bandwidth"].get<double>(), bandwidth * 2 * (n - 1) / n, 1e-12);
        EXPECT_NEAR(r["bus_bytes_per_second"].get<double>(), bandwidth * 2e9 * (n - 1) / n, 1e-3);
      }
}

// 2(n − 2)(12 + P) + 2(5h + 7 + P) − 1: the last member of a line is h hops from the first.
TEST_F(Collectives, RingAllReduceOnALineTakesItsClosedForm) {
  for (const unsigned n : {3u, 4u, 6u})
    for (const std::uint64_t flits : kLengths) {
      const auto r = collective("{size: [" + std::to_string(n) + "]}",
                                "collective: all-reduce, bytes: " + std::to_string(n * bytes_of(flits)));
      const unsigned hops = n - 1;
      EXPECT_EQ(r["time"], 2 * (n - 2) * (12 + flits) + 2 * (5 * hops + 7 + flits) - 1) << n << ' ' << flits;
    }
}

// (n − 1)(12 + P) − 1, and r more for each message that is combined. Repetitions follow each other.
TEST_F(Collectives, ReduceScatterAndAllGatherTakeTheirClosedForm) {
  for (const unsigned n : {4u, 8u})
    for (const std::uint64_t flits : kLengths)
      for (const std::string kind : {"reduce-scatter", "all-gather"}) {
        const auto r = collective(
            ring(n), "collective: " + kind +
                         ", combine_time: 4, repetitions: 5, bytes: " + std::to_string(n * bytes_of(flits)));
        const std::uint64_t combine = kind == "all-gather" ? 0 : 4;
        const std::uint64_t time = (n - 1) * (12 + flits + combine) - 1;
        EXPECT_EQ(r["time"], time) << kind << ' ' << n << ' ' << flits;
        EXPECT_EQ(r["end"], 5 * (time + 1) - 1);
      }
}

// d(12 + P) − 1 on a hypercube of d dimensions, with the whole vector in a message.
TEST_F(Collectives, OnHypercubesTakeTheirClosedForms) {
  for (const unsigned d : {2u, 3u, 4u})
    for (const std::uint64_t flits : kLengths) {
      const std::string network = "{topology: hypercube, dimensions: " + std::to_string(d) + "}";
      const std::string bytes = ", bytes: " + std::to_string(bytes_of(flits));
      EXPECT_EQ(collective(network, "collective: all-reduce, algorithm: recursive-doubling, combine_time: 3" +
                                        bytes)["time"],
                d * (12 + flits + 3) - 1);
      EXPECT_EQ(collective(network, "collective: broadcast" + bytes)["time"], d * (12 + flits) - 1);
      EXPECT_EQ(collective(network, "collective: broadcast, root: 3" + bytes)["time"], d * (12 + flits) - 1);
      EXPECT_EQ(
          collective(network, "collective: all-reduce, algorithm: tree, combine_time: 3" + bytes)["time"],
          2 * d * (12 + flits) + 3 * d - 1);
    }
}

// 5d·2^(d − 1) + (n − 1)(6 + P) + n − 2, step by step.
TEST_F(Collectives, PairwiseAllToAllTakesItsClosedForm) {
  for (const unsigned d : {2u, 3u, 4u})
    for (const std::uint64_t flits : kLengths) {
      const unsigned n = 1 << d;
      const auto r = collective(
          "{topology: hypercube, dimensions: " + std::to_string(d) + "}",
          "collective: all-to-all, algorithm: pairwise, bytes: " + std::to_string(n * bytes_of(flits)));
      EXPECT_EQ(r["time"], 5 * d * n / 2 + (n - 1) * (6 + flits) + n - 2) << d << ' ' << flits;
    }
}

// At least 11 + (n − 1)P, and at least the flits of the busiest channel; at most twice as long.
TEST_F(Collectives, DirectAllToAllStaysAboveItsBounds) {
  for (const std::uint64_t flits : {3u, 11u}) {
    const std::string keys =
        "collective: all-to-all, algorithm: direct, bytes: " + std::to_string(16 * bytes_of(flits));
    // On a 4x4 mesh 8·8/4 pairs cross each channel of the middle in one direction; on the hypercube 8 do.
    for (const auto& [network, load] :
         {std::pair{"{size: [4, 4]}", 16u}, std::pair{"{topology: hypercube, dimensions: 4}", 8u}}) {
      const std::uint64_t bound = std::max<std::uint64_t>(11 + 15 * flits, load * flits);
      const auto time = collective(network, keys)["time"].get<double>();
      EXPECT_GE(time, static_cast<double>(bound)) << network;
      EXPECT_LE(time, static_cast<double>(2 * bound)) << network;
    }
  }
}

// Groups of one, fewer bytes than members, one-flit buffers, long links, one virtual channel.
TEST_F(Collectives, OfOddSizesComplete) {
  for (const std::string kind :
       {"all-reduce, algorithm: ring", "all-reduce, algorithm: recursive-doubling",
        "all-reduce, algorithm: tree", "reduce-scatter", "all-gather", "all-to-all, algorithm: pairwise",
        "all-to-all, algorithm: direct", "broadcast"}) {
    const auto none = collective("{size: [3, 3]}", "collective: " + kind + ", group: [4], bytes: 100");
    EXPECT_EQ(none["time"], 0) << kind;
    EXPECT_EQ(none["messages"], 0) << kind;
    EXPECT_TRUE(none["algorithm_bandwidth"].is_null()) << kind;
    collective("{size: [3, 3]}", "collective: " + kind + ", repetitions: 3, bytes: 5",
               "link: {latency: 9, credit_latency: 3}\n");
    collective("{size: [3, 3]}", "collective: " + kind + ", group: [8, 3, 1, 0, 5], bytes: 999",
               "network_interface: {source_queue: 1}\n");
  }
}

TEST_F(Collectives, FollowEachOtherInTheirGroups) {
  ASSERT_EQ(
      run("network: {topology: torus, size: [8]}\nrouter: {preset: iq}\ntraffic: {groups: {left: [0, 1, 2, "
          "3], right: [4, 5, 6, 7]}, collectives: [{collective: reduce-scatter, group: left, bytes: 32, "
          "start: 500}, {collective: reduce-scatter, group: right, bytes: 32, name: east}, {collective: "
          "broadcast, group: all, bytes: 8}], clock_mhz: 500}\nstatistics: {flows: true}\n",
          {"--out", folder_ / "o"}),
      0)
      << err_;
  const auto all = stats("o")["collectives"]["list"];
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["begin"], 500);
  EXPECT_EQ(all[1]["begin"], 0);
  EXPECT_EQ(all[1]["name"], "east");
  // The first member of the second group that is done does not wait for the others.
  EXPECT_GT(all[2]["begin"], 0);
  EXPECT_LE(all[2]["begin"], all[1]["end"].get<int>() + 1);
  EXPECT_GT(all[2]["end"], all[0]["end"]);
  EXPECT_EQ(all[2]["completed"], 1);
  EXPECT_NEAR(all[0]["algorithm_bytes_per_second"].get<double>(),
              all[0]["algorithm_bandwidth"].get<double>() * 5e8, 1);
  const auto flows = stats("o")["flows"];
  ASSERT_EQ(flows.size(), 3u);
  EXPECT_EQ(flows[1]["name"], "east");
  EXPECT_EQ(flows[1]["class"], "reduce-scatter");
  EXPECT_EQ(flows[1]["messages"], 12);
}

/// The messages of messages.csv that `is` accepts, by source, destination, length and cycle of their
/// creation.
template <class Is>
std::multiset<std::string> created_messages(const std::string& file, const Is& is) {
  std::multiset<std::string> found;
  std::istringstream log(read_file(file));
  std::string text;
  for (std::getline(log, text); std::getline(log, text);) {
    std::vector<std::string> fields;
    std::istringstream line(text);
    for (std::string field; std::getline(line, field, ',');) fields.push_back(field);
    if (is(fields)) found.insert(fields[1] + ' ' + fields[2] + ' ' + fields[5] + ' ' + fields[6]);
  }
  return found;
}

// Flows in the last row of a mesh do not touch a ring in the first one.
TEST_F(Collectives, TakeTheirClosedFormNextToFlows) {
  for (const std::uint64_t flits : kLengths) {
    ASSERT_EQ(
        run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {collectives: [{collective: all-reduce, "
            "group: [0, 1, 2, 3], bytes: " +
                std::to_string(4 * bytes_of(flits)) +
                "}], flows: [{name: far, from: '12;13', to: '14;15', rate: .3, length: 5}]}\nstatistics: "
                "{flows: true}\n",
            {"--out", folder_ / "o"}),
        0)
        << err_;
    const auto results = stats("o");
    const std::uint64_t time = 2 * 2 * (12 + flits) + 2 * (5 * 3 + 7 + flits) - 1;
    EXPECT_EQ(results["collectives"]["list"][0]["time"], time);
    EXPECT_EQ(results["simulation"]["measured_cycles"], time + 1);
    EXPECT_EQ(results["messages"]["in_flight"], 0);
    EXPECT_EQ(results["flows"][0]["class"], "all-reduce");
    EXPECT_EQ(results["flows"][1]["name"], "far");
    EXPECT_GT(results["flows"][1]["delivered"], 3);
    EXPECT_EQ(results["messages"]["generated"],
              results["flows"][0]["messages"].get<int>() + results["flows"][1]["messages"].get<int>());
  }
}

// A message of 40 flits enters the source queue of the root a cycle before the broadcast does, and leaves
// first.
TEST_F(Collectives, WaitBehindFlowsInTheSourceQueue) {
  const auto time = [&](const std::string& more) {
    EXPECT_EQ(
        run("network: {size: [2]}\nrouter: {preset: iq}\ntraffic: {collectives: [{collective: broadcast, "
            "bytes: 8, start: 100}]" +
                more + "}\n",
            {"--out", folder_ / "o"}),
        0)
        << err_;
    return stats("o")["collectives"]["list"][0]["time"].get<int>();
  };
  EXPECT_EQ(time(""), 5 + 6 + 3);
  // One message in 4000 cycles, in cycle 99.
  for (const int before : {1, 11}) {
    const std::string flow =
        ", flows: [{from: 0, to: 1, rate: 0.01, length: 40, process: fixed-interval, start: " +
        std::to_string(100 - before) + ", stop: 101}], interval_phase: zero";
    EXPECT_EQ(time(flow), 5 + 6 + 3 + 40 - before) << flow;
    EXPECT_EQ(stats("o")["messages"]["delivered"], 2);
  }
}

// The flows send what they send alone, until the last collective is complete.
TEST_F(Collectives, OverlapWithTheSameFlowsThatRunAlone) {
  const std::string flows =
      "flows: [{from: '0;5;9', to: all, rate: .2}, {pattern: transpose, load: .05, process: poisson}], "
      "message_length: 6";
  const std::string head =
      "network: {size: [4, 4]}\nrouter: {preset: iq}\nstatistics: {messages: true, flows: true}\n";
  ASSERT_EQ(
      run(head + "traffic: {" + flows +
              ", collectives: [{collective: all-reduce, bytes: 2048, repetitions: 3}, {name: x, collective: "
              "all-to-all, bytes: 512}]}\n",
          {"--out", folder_ / "both"}),
      0)
      << err_;
  const auto both = stats("both");
  EXPECT_EQ(both["contract"]["holds"], true);
  EXPECT_EQ(both["messages"]["in_flight"], 0);
  EXPECT_EQ(both["collectives"]["completed"], 4);
  EXPECT_EQ(both["collectives"]["wrong"], 0);
  // Names that a collective has too.
  std::vector<std::string> names;
  for (const auto& flow : both["flows"]) names.push_back(flow["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"0", "x", "flow 0", "1"}));
  const std::string end = both["simulation"]["measured_cycles"].dump();
  ASSERT_EQ(run(head + "traffic: {" + flows + "}\nsimulation: {warmup: 0, measure: " + end + "}\n",
                {"--out", folder_ / "flows"}),
            0)
      << err_;
  ASSERT_EQ(
      run(head + "traffic: {collectives: [{collective: all-reduce, bytes: 2048, repetitions: 3}, {name: x, "
                 "collective: all-to-all, bytes: 512}]}\n",
          {"--out", folder_ / "alone"}),
      0)
      << err_;
  const auto is_flow = [](const auto& fields) { return fields[3] == "flow 0" || fields[3] == "1"; };
  const auto all = [](const auto&) { return true; };
  const auto sent = created_messages(folder_ / "both/messages.csv", is_flow);
  EXPECT_GT(sent.size(), 100u);
  EXPECT_EQ(sent, created_messages(folder_ / "flows/messages.csv", all));
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_GT(both["collectives"]["list"][i]["time"], stats("alone")["collectives"]["list"][i]["time"]);
}

TEST_F(Collectives, AndFlowsSurviveFaultsTogether) {
  const std::string text =
      "network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {flows: [{pattern: uniform, load: .02}], "
      "collectives: "
      "[{collective: all-reduce, bytes: 4096, repetitions: 4}]}\nfaults: {link_rate: 1e-4}\nrecovery: "
      "{protocol: ";
  for (const char* const protocol : {"sbrp-1", "end-to-end", "fcr"}) {
    ASSERT_EQ(run(text + protocol + "}\n", {"--out", folder_ / "o"}), 0) << protocol << err_;
    const auto results = stats("o");
    EXPECT_EQ(results["collectives"]["completed"], 4) << protocol;
    EXPECT_EQ(results["collectives"]["wrong"], 0) << protocol;
    EXPECT_EQ(results["messages"]["in_flight"], 0) << protocol;
    EXPECT_EQ(results["messages"]["delivered"], results["messages"]["generated"]) << protocol;
    EXPECT_GT(results["messages"]["recovered"], 3) << protocol;
  }
  // Without a protocol both lose messages; the flows end with the collectives.
  EXPECT_EQ(run(text + "none}\n", {"--out", folder_ / "o"}), to_int(ExitStatus::unfinished)) << err_;
  EXPECT_EQ(stats("o")["messages"]["in_flight"], 0);
  EXPECT_GT(stats("o")["messages"]["lost"], 0);
}

// The padding of FCR makes the flows more than the network carries.
TEST_F(Collectives, DoNotWaitForeverBehindFlowsThatOverloadTheNetwork) {
  EXPECT_EQ(
      run("network: {size: [4, 4]}\nrouter: {preset: iq}\ntraffic: {flows: [{pattern: uniform, load: .1}], "
          "collectives: [{collective: all-reduce, bytes: 4096}]}\nrecovery: {protocol: fcr}\n",
          {"--out", folder_ / "o"}),
      to_int(ExitStatus::unfinished))
      << err_;
  EXPECT_NE(err_.find("flows overload the network"), err_.npos) << err_;
  EXPECT_EQ(stats("o")["messages"]["in_flight"], 0);
  // A collective whose messages still arrive then sends no further ones.
  EXPECT_EQ(
      run("network: {size: [2, 2]}\nrouter: {virtual_channels: 1}\ntraffic: {flows: [{pattern: uniform, "
          "load: "
          ".5, length: 1}], collectives: [{collective: all-reduce, algorithm: tree, bytes: 1, repetitions: "
          "5}]}\n",
          {"--out", folder_ / "o"}),
      to_int(ExitStatus::unfinished))
      << err_;
}

TEST_F(Collectives, AreRefusedWithKeysThatHaveNoEffect) {
  const std::pair<const char*, const char*> cases[] = {
      {"load: .3", "traffic.load: 0.3 has no effect with traffic.collectives"},
      {"message_length: 7", "traffic.message_length: 7 has no effect with traffic.collectives"},
      {"injection: poisson", "poisson has no effect with traffic.collectives"},
      {"noxim_table: t.txt", "t.txt has no effect with traffic.collectives"},
      {"trace: t.csv", "has no effect with"},
  };
  folder_.write("t.txt", "0 1 .1\n");
  folder_.write("t.csv", "0,0,1,8\n");
  for (const auto& [key, error] : cases) {
    EXPECT_EQ(run("network: {size: [4, 4]}\ntraffic: {collectives: [{collective: all-reduce, bytes: 64}], " +
                  std::string(key) + "}\n"),
              to_int(ExitStatus::bad_usage))
        << key;
    EXPECT_NE(err_.find(error), err_.npos) << key << '\n' << err_;
  }
}

TEST_F(Collectives, SayWhichGroupsAndFlowsHaveNoEffect) {
  EXPECT_EQ(
      run("network: {size: [4, 4]}\ntraffic: {collectives: [{collective: all-reduce, group: row, bytes: "
          "64}], groups: {row: [0, 1, 2], column: [0, 4]}}\n"),
      0)
      << err_;
  EXPECT_NE(err_.find("c.yaml:2:"), err_.npos) << err_;
  EXPECT_NE(err_.find("traffic.groups: 'column' has no effect, because no collective names it"), err_.npos)
      << err_;
  EXPECT_EQ(err_.find("'row'"), err_.npos) << err_;
  ASSERT_EQ(
      run("network: {size: [4, 4]}\ntraffic: {collectives: [{collective: all-reduce, bytes: 64}], flows: "
          "[{name: early, from: 0, to: 1, rate: .1}, {name: late, from: 0, to: 1, rate: .1, start: "
          "50000}]}\n"),
      0)
      << err_;
  EXPECT_NE(err_.find("flow 'late' starts in cycle 50000, but the run ended in cycle "), err_.npos) << err_;
  EXPECT_EQ(err_.find("'early'"), err_.npos) << err_;
}

}  // namespace
}  // namespace flitmend
