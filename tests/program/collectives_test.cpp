// SPDX-License-Identifier: Apache-2.0
// traffic.collectives.
#include <cmath>

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

TEST_F(Collectives, AreRefusedWithKeysThatHaveNoEffect) {
  const std::pair<const char*, const char*> cases[] = {
      {"load: .3", "traffic.load: 0.3 has no effect with traffic.collectives"},
      {"message_length: 7", "traffic.message_length: 7 has no effect with traffic.collectives"},
      {"flows: [{from: 0, to: 1, rate: .1}]", "has no effect with traffic.collectives"},
  };
  for (const auto& [key, error] : cases) {
    EXPECT_EQ(run("network: {size: [4, 4]}\ntraffic: {collectives: [{collective: all-reduce, bytes: 64}], " +
                  std::string(key) + "}\n"),
              to_int(ExitStatus::bad_usage))
        << key;
    EXPECT_NE(err_.find(error), err_.npos) << key << '\n' << err_;
  }
}

}  // namespace
}  // namespace flitmend
