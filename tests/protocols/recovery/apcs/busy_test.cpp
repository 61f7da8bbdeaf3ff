// SPDX-License-Identifier: Apache-2.0
// APCS whose heads do not wait at busy channels (recovery.busy). In preset iq a head that crosses a router in
// cycle t requests a virtual channel at the next one in t + 4, and turns back in t + 5.
#include <gtest/gtest.h>

#include "protocols/deadlock/watchdog.h"
#include "protocols/recovery/registry.h"
#include "support/line_bench.h"
#include "support/steady_traffic.h"

namespace flitmend {
namespace {

struct BusyCase {
  const char* busy;
  std::int64_t scouting;
};

std::unique_ptr<RecoveryProtocol> apcs(const BusyCase& c) {
  RecoverySettings s;
  s.options.set("busy", std::string(c.busy));
  s.options.set("scouting", c.scouting);
  return recovery_protocols().at("apcs").make(s, {});
}

HardwareSettings one_channel(const char* name) {
  HardwareSettings hardware = preset(name);
  hardware.router.virtual_channels = 1;
  return hardware;
}

// The circuit of a message from 1 is in the way of that from 0. Its head turns back at router 1, and nothing
// of it is left on the line.
TEST(BusyApcs, AHeadThatTurnsBackEndsItsCircuit) {
  LineBench line(apcs({"retry", 64}), one_channel("iq"));
  line.send(60, 1);
  line.to(12);
  line.send(6, 0, 4);
  const unsigned local = line.state(0).layout().local_port;
  line.to(20);  // it has crossed router 0 in cycle 16
  EXPECT_EQ(line.state(1).route_fsm(line.west(1)), RouteFsm::needs_route);
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, local);
  line.to(21);
  EXPECT_EQ(line.state(1).route_fsm(line.west(1)), RouteFsm::idle);
  line.to(22);  // the kill is at its source
  EXPECT_EQ(line.state(0).output(line.east(0)).owner, unsigned{kNoVc});
  EXPECT_EQ(line.counters.retransmissions, 0u) << "it waits";
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "dd") << "no fault has hit anything";
  EXPECT_GT(line.counters.retransmissions, 0u);
}

// With waiting heads this is a deadlock: each message holds a channel of the ring and needs the next one.
class BusyHeads : public testing::TestWithParam<BusyCase> {};

TEST_P(BusyHeads, DoNotDeadlock) {
  RoutingSettings routing;
  routing.algorithm = "dimension-order";
  routing.options.set("dateline", "none");
  routing.options.set("ties", "plus");
  const auto protocol = apcs(GetParam());
  FabricBench bench(grid_network("torus", {4}), one_channel("iq"), routing, "fabric", 1, protocol.get());
  for (NodeId node = 0; node < 4; ++node) bench.fabric.network_interface(node).send((node + 2) % 4, 40);
  EXPECT_TRUE(bench.drain(20000));
  EXPECT_EQ(bench.deliveries.size(), 4u);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

// Circuits that end at busy channels have flits in output buffers too.
TEST_P(BusyHeads, HitNoMessageWithoutAFault) {
  RoutingSettings routing;
  routing.algorithm = "tfar";
  const auto protocol = apcs(GetParam());
  FabricBench bench(mesh_network({4, 4}), one_channel("sbrp"), routing, "fabric", 1, protocol.get());
  Fates fates;
  bench.fabric.add_observer(fates);
  SteadyTraffic traffic(bench.fabric, 0.5, 300);
  for (unsigned i = 0; i < 200000 && !(traffic.done() && bench.fabric.quiet()); ++i) bench.run(1);
  EXPECT_EQ(fates.delivered, 300u);
  EXPECT_EQ(fates.hit, 0u);
  EXPECT_GT(bench.fabric.context().recovery_counters.retransmissions, 0u);
  bench.run(64);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

// Faults strike meanwhile. Every message arrives once.
TEST_P(BusyHeads, SurviveFaults) {
  RoutingSettings routing;
  routing.algorithm = "tfar";
  const auto protocol = apcs(GetParam());
  FabricBench bench(mesh_network({4, 4}), one_channel("iq"), routing, "fabric", 1, protocol.get());
  SteadyTraffic traffic(bench.fabric, 0.4, 400);
  DeadlockWatchdog watchdog(bench.fabric);
  RandomStream random(7, RandomPurpose::test);
  unsigned cycles = 0;
  RouterId down = 0;
  for (; cycles < 200000 && !(traffic.done() && bench.fabric.quiet()); ++cycles) {
    if (cycles % 200 == 50 && !traffic.done()) bench.fabric.fail_router(down = random.below(16));
    if (cycles % 200 == 70 && bench.fabric.router(down).down()) bench.fabric.repair_router(down);
    bench.run(1);
    ASSERT_FALSE(watchdog.look()) << "cycle " << cycles;
  }
  EXPECT_EQ(bench.deliveries.size(), 400u);
  bench.run(64);
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

INSTANTIATE_TEST_SUITE_P(Apcs, BusyHeads,
                         testing::Values(BusyCase{"retry", 0}, BusyCase{"retry", 64},
                                         BusyCase{"backtrack", 0}, BusyCase{"backtrack", 2},
                                         BusyCase{"backtrack", 64}));

}  // namespace
}  // namespace flitmend
