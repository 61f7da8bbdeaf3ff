// SPDX-License-Identifier: Apache-2.0
// Pipelined circuit switching: a head reserves the path, the acknowledgement lets the data go, the tail
// releases it. In preset iq the head of a message sent in cycle 0 crosses routers 0 … 4 of a line in 4, 9,
// 14, 19, 24.
#include "protocols/deadlock/watchdog.h"
#include "rtl_tlm/fabric/control_line_pulses.h"
#include "support/path_line.h"
#include "support/shared_wire.h"
#include "support/steady_traffic.h"

namespace flitmend {
namespace {

TEST(PipelinedCircuit, DataFollowsTheHeadWhenTheAcknowledgementIsBack) {
  PathLine line;
  line.send(8);
  for (Cycle t = 1; t <= 55; ++t) {
    line.to(t);
    for (RouterId r = 0; r < 5; ++r) {
      SCOPED_TRACE("router " + std::to_string(r) + " in cycle " + std::to_string(t));
      // The tail, flit 7, crosses router 0 six cycles after the first data flit, and the others every 3
      // cycles.
      const Cycle opens = 29 - r, tail = 29 + 6 + 3 * r, head = 4 + 5 * r;
      const bool holds = t >= head && t < tail;
      if (t >= head) {
        ASSERT_EQ(line.busy(r) != kNoVc, holds);
      }
      if (!holds) continue;
      EXPECT_EQ(line.read(r, line.busy(r), "circuit.gated"), r < 4 && t < opens);
      // The acknowledgement is made at router 4 in cycle 24 and leaves in the next one; the others pass it on
      // at once.
      EXPECT_EQ(line.read(r, line.busy(r), "complementary.acknowledgement"), r == 4 && t == 24);
      if (r < 4) {
        EXPECT_EQ(line.sent_east(r), t < 29 + 3 * r ? 1 : 2 + t - (29 + 3 * r));
      }
    }
  }
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(control_flits(line.fabric), 4u) << "one acknowledgement per hop";
  line.expect_clean();
}

TEST(PipelinedCircuit, AHeadAloneNeedsNoAcknowledgement) {
  PathLine line;
  line.send(1);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(control_flits(line.fabric), 0u);
}

// One virtual channel: the head of the second message waits at router 1 until the first path is released
// there, with the data of its own message still at its source.
TEST(PipelinedCircuit, AHeadThatWaitsKeepsItsDataAtTheSource) {
  HardwareSettings hardware = pipelined();
  hardware.router.virtual_channels = 1;
  PathLine line(hardware);
  line.send(12, 1);
  line.to(12);
  line.send(12, 0, 3);
  line.to(30);
  EXPECT_EQ(line.sent_east(0), 1u);
  EXPECT_EQ(line.state(1).input(line.west(1) * line.state(1).vcs()).count, 1u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
  EXPECT_EQ(control_flits(line.fabric), 3u + 3u);
}

TEST(PipelinedCircuit, AcknowledgementsTakeSlotsOfTheWire) {
  SharedWire wire(pipelined());
  wire.run(80);
  EXPECT_GT(SharedWire::sent(wire.alone), 20u);
  wire.send_short();
  for (unsigned t = 0; t < 30; ++t) {
    EXPECT_LE(wire.behind(), 1u);
    wire.run(1);
  }
  EXPECT_EQ(wire.behind(), 1u);
  EXPECT_EQ(control_flits(wire.both.fabric), control_flits(wire.alone.fabric) + 1);
  EXPECT_EQ(wire.both.deliveries.size(), 1u);
  EXPECT_TRUE(wire.both.drain(1000));
}

// Every node of a ring without dateline sends two hops. The messages fit in a buffer, so that with wormhole
// switching their tails release the first channels. Pipelined circuits keep them until the head has arrived.
TEST(PipelinedCircuit, TheWatchdogSeesPathsThatWaitForEachOther) {
  HardwareSettings hardware = preset("iq");
  hardware.router.virtual_channels = 1;
  RoutingSettings routing;
  routing.algorithm = "dimension-order";
  routing.options.set("dateline", "none");
  routing.options.set("ties", "plus");
  FabricBench wormhole(grid_network("torus", {4}), hardware, routing, "wormhole");
  FabricBench circuits(grid_network("torus", {4}), pipelined(hardware), routing, "circuits");
  for (NodeId node = 0; node < 4; ++node) {
    wormhole.fabric.network_interface(node).send((node + 2) % 4, 4);
    circuits.fabric.network_interface(node).send((node + 2) % 4, 4);
  }
  wormhole.run(300);  // both
  EXPECT_EQ(wormhole.deliveries.size(), 4u);
  EXPECT_FALSE(find_deadlock(wormhole.fabric));
  EXPECT_EQ(circuits.deliveries.size(), 0u);
  const auto found = find_deadlock(circuits.fabric);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->blocked, 8u);  // an injection and a link buffer per router
}

/// Hardware on which random traffic drains, while the watchdog looks in every cycle.
class RandomPaths : public testing::TestWithParam<const char*> {};

TEST_P(RandomPaths, DrainAndNeverAlarmTheWatchdog) {
  HardwareSettings hardware = pipelined(preset(GetParam()));
  hardware.router.virtual_channels = 2;
  RoutingSettings routing;
  routing.algorithm = "duato";
  FabricBench bench(mesh_network({4, 4}), hardware, routing);
  SteadyTraffic traffic(bench.fabric, 0.9, 400);
  DeadlockWatchdog watchdog(bench.fabric);
  unsigned cycles = 0;
  for (; cycles < 20000 && !(traffic.done() && bench.fabric.quiet()); ++cycles) {
    bench.run(1);
    ASSERT_FALSE(watchdog.look()) << "cycle " << cycles;
  }
  EXPECT_EQ(bench.deliveries.size(), 400u);
  bench.run(64);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
  EXPECT_LT(cycles, 20000u);
}

INSTANTIATE_TEST_SUITE_P(Presets, RandomPaths, testing::Values("iq", "sbrp", "kary-ncube"));

}  // namespace
}  // namespace flitmend
