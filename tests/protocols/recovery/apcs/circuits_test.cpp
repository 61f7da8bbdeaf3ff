// SPDX-License-Identifier: Apache-2.0
// APCS without faults: the latency of wormhole switching, and a path that is held until its acknowledgement.
#include <gtest/gtest.h>

#include "protocols/recovery/apcs/circuit_line.h"
#include "support/shared_wire.h"

namespace flitmend {
namespace {

class CircuitsOf : public testing::TestWithParam<const char*> {};

TEST_P(CircuitsOf, APathIsHeldOneCyclePerHopLongerThanTheTailNeeds) {
  CircuitLine line(GetParam());
  line.send(8);
  while (line.fates.delivered == 0) line.step();
  const Cycle arrival = line.fates.delivered_at;
  EXPECT_EQ(line.fabric.cycles(), arrival + 1);
  for (Cycle t = arrival; t <= arrival + 4; ++t) {
    line.to(t);
    for (RouterId r = 0; r < 5; ++r) {
      const bool held = t < arrival + 4 - r;
      EXPECT_EQ(line.circuit(r) != kNoVc, held) << "router " << r << " in cycle " << t - arrival;
    }
  }
  // The sender drops its copy in the cycle in which the acknowledgement reaches its router.
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
  EXPECT_EQ(control_flits(line.fabric), 4u) << "one acknowledgement per hop";
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.retransmissions, 0u);
}

TEST_P(CircuitsOf, TheSenderKeepsItsCopyUntilThen) {
  CircuitLine line(GetParam());
  line.send(8);
  while (line.fates.delivered == 0) line.step();
  line.to(line.fates.delivered_at + 3);
  EXPECT_GT(line.fabric.context().messages.in_use(), 0u);
  EXPECT_FALSE(line.fabric.quiet());
  line.to(line.fates.delivered_at + 4);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
}

// One virtual channel: the second message waits until the acknowledgement of the first has passed.
TEST_P(CircuitsOf, AHeldPathKeepsOthersOut) {
  HardwareSettings hardware = preset(GetParam());
  hardware.router.virtual_channels = 1;
  LineBench line(apcs_with(0), hardware);
  line.send(4);
  line.send(4, 1);
  while (line.fates.delivered < 2) line.step();
  EXPECT_EQ(line.bench.deliveries.size(), 2u);
  EXPECT_NE(line.bench.deliveries[0].source, line.bench.deliveries[1].source);
  line.expect_clean();
}

TEST(ControlFlits, TakeSlotsOfTheWire) {
  const auto apcs = apcs_with(0);
  SharedWire wire(preset("iq"), apcs.get());
  wire.run(60);
  wire.send_short();
  for (unsigned t = 0; t < 30; ++t) {
    EXPECT_EQ(wire.behind(), wire.both.deliveries.size());
    wire.run(1);
  }
  EXPECT_EQ(wire.both.deliveries.size(), 1u);
  EXPECT_TRUE(wire.both.drain(1000));
}

INSTANTIATE_TEST_SUITE_P(Apcs, CircuitsOf, testing::Values("iq", "sbrp"));

// Every length between every pair of nodes, one message at a time.
class LatencyOfCircuits : public testing::TestWithParam<const char*> {};

TEST_P(LatencyOfCircuits, IsThatOfWormholeSwitching) {
  const auto none = recovery_protocols().at("none").make({}, {});
  const auto apcs = apcs_with(0);
  FabricBench without(mesh_network({3, 3}), preset(GetParam()), {}, "without", 1, none.get());
  FabricBench with(mesh_network({3, 3}), preset(GetParam()), {}, "with", 1, apcs.get());
  for (const std::uint32_t length : {1u, 2u, 3u, 9u, 20u})
    for (NodeId from = 0; from < 9; ++from)
      for (NodeId to = 0; to < 9; ++to) {
        without.fabric.network_interface(from).send(to, length);
        with.fabric.network_interface(from).send(to, length);
        while (!without.fabric.quiet() || !with.fabric.quiet()) without.run(1);  // both
        without.run(8);
      }
  EXPECT_EQ(without.deliveries.size(), 5u * 81);
  EXPECT_EQ(with.deliveries, without.deliveries);
}

INSTANTIATE_TEST_SUITE_P(Apcs, LatencyOfCircuits, testing::Values("iq", "sbrp", "kary-ncube"));

}  // namespace
}  // namespace flitmend
