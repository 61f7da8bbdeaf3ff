// SPDX-License-Identifier: Apache-2.0
// Scoreboard and statistics on real fabrics.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/random_stream.h"
#include "support/fabric_bench.h"
#include "testbench/scoreboard/contract.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/run_statistics.h"

namespace flitmend {
namespace {

/// An 8x8 mesh with observers, and Bernoulli uniform traffic of five flits.
struct Bench : FabricBench {
  explicit Bench(MeasuredWindow window)
      : FabricBench(mesh_network({8, 8}), HardwareSettings{}),
        statistics(topology(), window, {.requested = {{"channels", true}}, .histogram = true}),
        scoreboard(topology().node_count(), {}, &statistics) {
    fabric.add_observer(scoreboard);
  }
  void traffic(Cycle cycles, double load) {
    for (Cycle t = 0; t < cycles; ++t) {
      for (NodeId node = 0; node < 64; ++node)
        if (random.uniform() < load / 5) fabric.network_interface(node).send(random.below(64), 5);
      run(1);
    }
  }
  Results results(bool drained) {
    scoreboard.finish(fabric.cycles(), drained);
    statistics.finish(fabric.cycles());
    statistics.finish_optional(fabric);
    Results r;
    statistics.fill(r);
    scoreboard.fill(r);
    fill_from_fabric(fabric, r);
    judge_contract(r, drained);
    return r;
  }
  void window_begins() { statistics.window_begins(fabric); }
  void window_ends() { statistics.window_ends(fabric); }
  RandomStream random{11, RandomPurpose::test};
  RunStatistics statistics;
  Scoreboard scoreboard;
};

}  // namespace

TEST(FabricStatistics, ADrainedMeshKeepsTheContract) {
  Bench bench({500, 2500});
  bench.traffic(500, 0.2);
  bench.window_begins();
  bench.traffic(2000, 0.2);
  bench.window_ends();
  ASSERT_TRUE(bench.drain(5000));
  const Results r = bench.results(true);
  EXPECT_TRUE(r.contract.holds) << to_text(r);
  EXPECT_EQ(r.messages.delivered, bench.deliveries.size());
  EXPECT_EQ(r.messages.generated, r.messages.delivered);
  EXPECT_EQ(r.flits.injected, 5 * r.messages.generated);
  EXPECT_EQ(r.flits.consumed, r.flits.injected);
  EXPECT_EQ(r.simulation.measured_cycles, 2000u);

  // The same figures directly from the log of deliveries.
  std::uint64_t count = 0, latency = 0, hops = 0, max = 0, offered = 0, accepted = 0, flit_hops = 0;
  for (const FabricBench::Delivery& d : bench.deliveries) {
    flit_hops += 5 * d.hops;
    if (d.delivered >= 500 && d.delivered < 2500) accepted += d.length;
    if (d.created < 500 || d.created >= 2500) continue;
    ++count;
    latency += d.delivered - d.created;
    hops += d.hops;
    max = std::max(max, d.delivered - d.created);
    offered += d.length;
  }
  EXPECT_EQ(r.latency.total.count, count);
  EXPECT_DOUBLE_EQ(r.latency.total.mean.value(), static_cast<double>(latency) / static_cast<double>(count));
  EXPECT_EQ(r.latency.total.max, max);
  EXPECT_DOUBLE_EQ(r.hops.mean.value(), static_cast<double>(hops) / static_cast<double>(count));
  EXPECT_DOUBLE_EQ(r.traffic.offered.value(), static_cast<double>(offered) / 128000);
  EXPECT_DOUBLE_EQ(r.traffic.accepted.value(), static_cast<double>(accepted) / 128000);
  EXPECT_DOUBLE_EQ(r.traffic.normalised_accepted.value(), r.traffic.accepted.value() / 0.5);
  EXPECT_EQ(r.simulation.flit_hops, flit_hops);
  EXPECT_NEAR(r.traffic.offered.value(), 0.2, 0.02);
}

TEST(FabricStatistics, AStopInFullFlightKeepsTheContractToo) {
  Bench bench({0, kNever});
  bench.traffic(400, 0.5);
  const Results r = bench.results(false);
  EXPECT_TRUE(r.contract.holds) << to_text(r);
  EXPECT_GT(r.messages.in_flight, 0u);
  EXPECT_EQ(r.messages.in_flight, bench.fabric.messages_in_network());
  EXPECT_GT(r.flits.in_network, 0u);
}

TEST(FabricStatistics, ChannelsCountTheWindowAlone) {
  Bench bench({100, 200});
  bench.run(1);
  const auto send = [&] {
    bench.fabric.network_interface(0).send(2, 7);  // two channels east
    bench.run(99);
  };
  send();
  bench.window_begins();
  send();
  bench.run(1);
  bench.window_ends();
  send();
  ASSERT_TRUE(bench.drain(100));
  const Results r = bench.results(true);
  const nlohmann::json channels = nlohmann::json::parse(to_json(r))["channels"];
  EXPECT_EQ(channels.size(), 2u * 2 * 7 * 8);
  std::uint64_t flits = 0;
  for (const auto& c : channels) {
    flits += c["flits"].get<std::uint64_t>();
    if (c["from"] == "router_0_0" && c["port"] == "east") {
      EXPECT_EQ(c["to"], "router_1_0");
      EXPECT_EQ(c["flits"], 7);
      EXPECT_DOUBLE_EQ(c["utilisation"].get<double>(), 0.07);
    }
  }
  EXPECT_EQ(flits, 14u);
  EXPECT_EQ(r.simulation.flit_hops, 42u);
}

TEST(FabricStatistics, AWindowWithoutAnEndLastsUntilTheEndOfTheRun) {
  Bench bench({});
  bench.window_begins();
  bench.run(1);
  bench.fabric.network_interface(0).send(63, 3);
  ASSERT_TRUE(bench.drain(200));
  bench.window_ends();
  const Results r = bench.results(true);
  std::uint64_t flits = 0;
  const nlohmann::json channels = nlohmann::json::parse(to_json(r))["channels"];
  for (const auto& c : channels) flits += c["flits"].get<std::uint64_t>();
  EXPECT_EQ(flits, 3u * 14);
}

}  // namespace flitmend
