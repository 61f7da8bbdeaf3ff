// SPDX-License-Identifier: Apache-2.0
// Links of their own latency: a message takes the cycles of the links on its way, and nothing is lost.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/fabric_bench.h"

namespace flitmend {
namespace {

NetworkSettings row_of_three(const char* first, const char* second) {
  NetworkSettings s;
  s.topology = "file";
  const auto edge = [](const char* from, const char* to, const std::string& latency) {
    return std::string("<edge source=\"") + from + "\" target=\"" + to + "\">" +
           (latency.empty() ? "" : "<data key=\"l\">" + latency + "</data>") + "</edge>";
  };
  s.graph =
      "<graphml><key id=\"l\" for=\"edge\" attr.name=\"latency\"/><graph>"
      "<node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>" +
      edge("a", "b", first) + edge("b", "c", second) + "</graph></graphml>";
  return s;
}

RoutingSettings up_down() {
  RoutingSettings s;
  s.algorithm = "up-down";
  return s;
}

TEST(LinkLatency, AMessageTakesTheCyclesOfItsLinks) {
  HardwareSettings hardware = preset("iq");
  hardware.router.input_buffer = 128;  // credits do not slow it down
  FabricBench equal(row_of_three("", ""), hardware, up_down(), "equal");
  FabricBench own(row_of_three("9", "40"), hardware, up_down(), "own");
  FabricBench first(row_of_three("9", ""), hardware, up_down(), "first");
  equal.run(2);
  for (FabricBench* bench : {&equal, &own, &first}) {
    bench->fabric.network_interface(0).send(2, 20);
    bench->fabric.network_interface(2).send(0, 20);
    bench->fabric.network_interface(1).send(2, 3);
  }
  for (FabricBench* bench : {&equal, &own, &first}) {
    ASSERT_TRUE(bench->drain(2000));
    ASSERT_EQ(bench->deliveries.size(), 3u);
    EXPECT_EQ(bench->fabric.check_conservation().credits_missing, 0u);
  }
  const auto latency = [](const FabricBench& bench, NodeId source) {
    const auto found = std::find_if(bench.deliveries.begin(), bench.deliveries.end(),
                                    [&](const auto& d) { return d.source == source; });
    return found->delivered - found->created;
  };
  for (const NodeId source : {0u, 2u}) {
    EXPECT_EQ(latency(own, source), latency(equal, source) + 8 + 39);
    EXPECT_EQ(latency(first, source), latency(equal, source) + 8);
  }
  EXPECT_EQ(latency(own, 1), latency(equal, 1) + 39);
}

/// A link of 40 cycles with buffers of 8 flits: 8 flits per round trip of flit and credit.
TEST(LinkLatency, CreditsTakeAsLongAsFlits) {
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = 1;
  FabricBench bench(row_of_three("40", ""), hardware, up_down(), "loop");
  bench.run(2);
  bench.fabric.network_interface(0).send(1, 800);
  ASSERT_TRUE(bench.drain(20000));
  ASSERT_EQ(bench.deliveries.size(), 1u);
  const auto cycles = static_cast<double>(bench.deliveries[0].delivered - bench.deliveries[0].created);
  EXPECT_GT(cycles, 99 * 80);
  EXPECT_LT(cycles, 105 * 90);
  EXPECT_EQ(bench.fabric.check_conservation().credits_missing, 0u);
}

}  // namespace
}  // namespace flitmend
