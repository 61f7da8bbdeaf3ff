// SPDX-License-Identifier: Apache-2.0
// FKILL, BKILL and PAD cycle by cycle: a message that a fault has cut is torn down in both directions, and
// sent again.
#include <gtest/gtest.h>

#include <set>

#include "protocols/recovery/fcr/fcr_line.h"

namespace flitmend {
namespace {

/// By preset.
class FcrKillsIn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Preset, FcrKillsIn, fcr_presets(), fcr_preset_name);

TEST(FcrKills, PassHopByHopToTheSourceAndToTheReceiver) {
  FcrLine line;
  line.send(30);
  line.to(30);
  const unsigned vc = line.sending_vc();
  EXPECT_EQ(line.injector().next_flit(vc), 30u) << "F_inj: a flit per cycle since 1";
  EXPECT_EQ(line.fabric.network_interface(4).receiver.flits_received(), 3u) << "F_rec: since 28";
  line.fabric.fail_router(2);
  // Both neighbours see the fault in 31. BKILL takes two cycles per link, as a credit does; FKILL three,
  // behind the flits in the crossbar.
  line.to(31);
  EXPECT_NE(line.fsm(1, line.west(1)), RouteFsm::routed);
  EXPECT_NE(line.fsm(3, line.west(3)), RouteFsm::routed);
  EXPECT_EQ(line.fsm(0, line.from(0)), RouteFsm::routed);
  EXPECT_EQ(line.fsm(4, line.west(4)), RouteFsm::routed);
  line.to(32);
  EXPECT_TRUE(line.high(ControlLine::backward_kill, 0));
  EXPECT_FALSE(line.high(ControlLine::no_route, 0));
  EXPECT_EQ(line.fsm(0, line.from(0)), RouteFsm::routed);
  line.to(33);
  EXPECT_NE(line.fsm(0, line.from(0)), RouteFsm::routed);
  EXPECT_TRUE(line.high(ControlLine::forward_kill, 3));
  EXPECT_TRUE(line.sending());
  line.to(34);
  EXPECT_TRUE(line.sending());
  EXPECT_NE(line.fsm(4, line.west(4)), RouteFsm::routed);
  line.to(35);
  EXPECT_FALSE(line.sending()) << "BKILL has reached the injector";
  // The receiver has what had left router 4. FKILL takes two cycles to its crossbar's exit and two more.
  line.to(37);
  EXPECT_GT(line.fabric.network_interface(4).receiver.flits_received(), 0u);
  line.to(38);
  EXPECT_EQ(line.fabric.network_interface(4).receiver.flits_received(), 0u);
  EXPECT_EQ(line.fates.delivered, 0u);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hd");
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.guard_repaired + line.counters.guard_spurious, 0u);
}

TEST(FcrKills, AMessageIsSentAgainAfterARandomWait) {
  RecoverySettings recovery;
  recovery.options.set("backoff.kill", 8);
  FcrLine line("sbrp", recovery);
  std::set<Cycle> waits;
  for (unsigned i = 0; i < 40; ++i) {
    line.send(200);
    for (unsigned step = 0; step < 30 + i % 7; ++step) line.step();
    line.fabric.fail_router(1);
    while (line.sending()) line.step();
    const Cycle killed = line.fabric.cycles();
    while (!line.sending()) line.step();
    waits.insert(line.fabric.cycles() - killed);
    line.fabric.repair_router(1);
    line.expect_clean();
  }
  EXPECT_EQ(line.fates.delivered, 40u);
  EXPECT_EQ(line.counters.retransmissions, 40u);
  EXPECT_EQ(*waits.begin(), 1u);
  EXPECT_EQ(*waits.rbegin(), 8u);
}

TEST(FcrKills, AHeadThatHasNotLeftTakesAnotherWay) {
  RoutingSettings routing;
  routing.algorithm = "duato";
  const auto protocol = recovery_protocols().at("fcr").make({}, routing);
  FabricBench bench(mesh_network({3, 3}), atomic("iq"), routing, "fabric", 1, protocol.get());
  bench.run(1);
  bench.fabric.fail_router(1);
  bench.fabric.network_interface(0).send(4, 8);
  bench.run(20);
  ASSERT_TRUE(bench.drain(1000));
  EXPECT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.fabric.context().recovery_counters.retransmissions, 0u);
}

TEST(FcrKills, WhatIsCutAfterPadIsSentAgainAndDropped) {
  FcrLine line;
  line.send(8);
  while (line.fates.delivered == 0) line.step();
  ASSERT_TRUE(line.sending()) << "pads";
  line.fail(2, line.fabric.cycles() - 1);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "d") << "it had arrived";
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.duplicate_flits, 8u);
}

TEST_P(FcrKillsIn, AFaultOfTheSourceOrTheDestinationIsRepaired) {
  FcrLine line(GetParam());
  for (const RouterId router : {0u, 4u}) {
    const Cycle start = line.fabric.cycles();
    line.send(40);
    line.fail(router, start + 31, 5);
    line.expect_clean();
  }
  EXPECT_EQ(line.fates.kinds(), "hdhd");
  EXPECT_EQ(line.counters.retransmissions, 2u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST(FcrKills, AnUnreachableDestinationIsGivenUpAfterThreeHeadsWithoutARoute) {
  FcrLine line("iq", {}, 50);
  line.fabric.fail_link(2, line.east(2), false, true);
  line.send(20);
  // The head is in router 2 and waits. BKILL and NO_ROUTE go back together, a router every two cycles.
  for (const RouterId r : {1u, 0u}) {
    while (!line.high(ControlLine::backward_kill, r)) line.step();
    EXPECT_TRUE(line.high(ControlLine::no_route, r)) << "router " << r;
    line.step();
    EXPECT_FALSE(line.high(ControlLine::no_route, r)) << "router " << r;
  }
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "u");
  EXPECT_EQ(line.counters.retransmissions, 2u);
}

TEST(FcrKills, AMessageToADeadNodeIsGivenUp) {
  FcrLine line;
  line.send(60);
  line.to(40);
  line.fabric.fail_router(4, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hu");
  line.send(60);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "huu");
}

TEST_P(FcrKillsIn, TimeOutTearsDownABlockedMessageFromItsSource) {
  RecoverySettings recovery;
  recovery.timeout = 40;
  recovery.options.set("backoff.timeout", 16);
  FcrLine line(GetParam(), recovery, 30);
  for (unsigned vc = 0; vc < line.state(3).vcs(); ++vc)
    line.fabric.router(3).hold(line.east(3) * line.state(3).vcs() + vc, true);
  line.send(100);
  Cycle last = 0;
  for (std::uint32_t sent = 0; line.fabric.cycles() < 5 || line.sending(); line.step()) {
    if (!line.sending()) continue;
    const unsigned vc = line.sending_vc();
    const Cycle now = line.fabric.cycles() - 1;
    if (line.injector().next_flit(vc) != sent) last = now;
    sent = line.injector().next_flit(vc);
    EXPECT_EQ(line.injector().elapsed(vc, now), now - last) << "T_elapse";
  }
  EXPECT_EQ(line.fabric.cycles() - 1, last + 40);
  EXPECT_EQ(line.counters.timeouts, 1u);
  std::set<RouterId> released;
  for (int i = 0; i < 12; ++i, line.step())
    for (RouterId r = 0; r < 4; ++r)
      if (line.fsm(r, line.from(r)) != RouteFsm::routed) released.insert(r);
  EXPECT_EQ(released.size(), 4u) << "FKILL has passed them";
  for (unsigned vc = 0; vc < line.state(3).vcs(); ++vc)
    line.fabric.router(3).hold(line.east(3) * line.state(3).vcs() + vc, false);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "d") << "no fault has hit it";
}

/// Messages on a ring with one virtual channel wait for each other. T_out ends that.
TEST_P(FcrKillsIn, TimeOutEndsADeadlock) {
  const NetworkSettings ring = grid_network("torus", {4});
  RoutingSettings routing;
  routing.options.set("dateline", "none");
  routing.options.set("ties", "plus");
  routing.head_wait_cycles = 20;
  RecoverySettings recovery;
  recovery.timeout = 30;
  HardwareSettings hardware = atomic(GetParam());
  hardware.router.virtual_channels = 1;
  hardware.router.input_buffer = 2;
  const auto protocol = recovery_protocols().at("fcr").make(recovery, routing);
  FabricBench bench(ring, hardware, routing, "fabric", 1, protocol.get());
  bench.run(1);
  for (unsigned i = 0; i < 6; ++i)
    for (NodeId node = 0; node < 4; ++node) bench.fabric.network_interface(node).send((node + 2) % 4, 30);
  ASSERT_TRUE(bench.drain(200000));
  EXPECT_EQ(bench.deliveries.size(), 24u);
  EXPECT_GT(bench.fabric.context().recovery_counters.timeouts, 0u) << "it has deadlocked";
  EXPECT_TRUE(bench.fabric.check_conservation().idle());
}

}  // namespace
}  // namespace flitmend
