// SPDX-License-Identifier: Apache-2.0
// UTP by the cycle, on a line of five routers with one virtual channel. In preset iq the head of a message
// sent in cycle 0 crosses routers 0, 1, 2, 3, 4 in 4, 9, 14, 19, 24, arrives at 1, 2, 3, 4 three cycles
// later, and is consumed in 28.
#include <gtest/gtest.h>

#include <string>

#include "protocols/deadlock/watchdog.h"
#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

HardwareSettings one_vc_of(const char* name) {
  HardwareSettings s = preset(name);
  s.router.virtual_channels = 1;
  return s;
}

struct UtpLine : LineBench {
  explicit UtpLine(const HardwareSettings& hardware = one_vc_of("iq"), const RecoverySettings& recovery = {},
                   std::int64_t head_wait = 200)
      : LineBench(make(recovery, head_wait), hardware) {}
  static std::unique_ptr<RecoveryProtocol> make(const RecoverySettings& recovery, std::int64_t head_wait) {
    RoutingSettings routing;
    routing.head_wait_cycles = head_wait;
    return recovery_protocols().at("utp").make(recovery, routing);
  }
  void step() override {
    LineBench::step();
    if (const Flit* const flit = fabric.network_interface(4).receiver.consumed_flit())
      consumed += std::string(enum_words<FlitKind>()[static_cast<unsigned>(flit->kind)].short_word) + ' ';
  }
  /// The virtual channel through which messages come from node 0.
  unsigned in(RouterId r) { return r == 0 ? fabric.router(0).local_port() : west(r); }
  unsigned copies(RouterId r) { return state(r).sent_slots(in(r)); }
  unsigned credits(RouterId r) { return state(r).output(east(r)).credits; }

  std::string consumed;  ///< at node 4, in letters
};

TEST(Utp, ACopyIsFreedWhenTheNodeAfterTheNextHasTheFlit) {
  UtpLine line;
  line.send(4);
  line.to(12);
  EXPECT_EQ(line.copies(1), 4u);
  EXPECT_EQ(line.credits(0), 4u);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::routed) << "the tail has left in 12";
  line.to(16);
  EXPECT_EQ(line.copies(1), 4u);
  EXPECT_EQ(line.copies(0), 0u) << "the tail has arrived at router 2 in 15";
  line.to(17);
  EXPECT_EQ(line.copies(1), 3u) << "router 2 has sent the head in 14, router 3 has it now";
  EXPECT_EQ(line.credits(0), 4u);
  line.to(19);
  EXPECT_EQ(line.copies(1), 1u);
  EXPECT_EQ(line.credits(0), 5u) << "FREED takes as long as a credit";
  line.to(20);
  EXPECT_EQ(line.copies(1), 0u);
  EXPECT_EQ(line.fsm(1, line.west(1)), RouteFsm::idle);
  line.to(31);
  EXPECT_EQ(line.fates.delivered_at, 31u);
  line.expect_clean();
  EXPECT_EQ(line.counters.retransmissions, 0u);
}

// Router 1 has sent flits 0 to 7. Router 3 has 0 to 3, and the rest is lost with router 2.
TEST(Utp, TheRouterBeforeTheFaultRestartsTheRestFromItsCopies) {
  UtpLine line;
  line.send(12);
  line.to(20);
  EXPECT_EQ(line.copies(1), 4u);
  line.fabric.fail_router(2);
  line.to(21);
  const VirtualChannel vc(line.state(1), line.in(1));
  EXPECT_EQ(vc.route_fsm(), RouteFsm::backup);
  EXPECT_EQ(vc.input_buffer(), 5u) << "a restart head and four copies";
  EXPECT_TRUE(Copies::has_own_head(vc.state(), vc.id()));
  EXPECT_TRUE(Copies::renaming(vc.state(), vc.id()));
  EXPECT_EQ(vc.front().kind, FlitKind::restart_head);
  EXPECT_EQ(Copies::counts_of(line.state(1), line.in(1)).resent, 5u);
  EXPECT_EQ(line.state(1).room(line.in(1)), 4u) << "the restart head is in the head-copy register";
  line.to(22);
  EXPECT_EQ(vc.route_fsm(), RouteFsm::backup);
  line.to(23);
  EXPECT_EQ(vc.route_fsm(), RouteFsm::needs_route);
  line.to(30);
  EXPECT_EQ(line.state(1).room(line.in(1)), 0u) << "flits 8 to 11 have arrived";
  EXPECT_FALSE(Copies::renaming(vc.state(), vc.id())) << "the tail is among them";
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.consumed, "H D D D BT RH D D D D D D D T ");
  EXPECT_EQ(line.fates.kinds(), "hd");
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.retransmitted_flits, 5u);
  EXPECT_EQ(line.counters.duplicate_flits, 0u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

// After 65,535 the number does not begin again: the sender would take requests for ones that it has answered.
TEST(Utp, TheSerialNumberOfARestartStaysAtItsGreatestValue) {
  UtpLine line;
  line.send(12);
  line.to(20);
  const auto packet = [&]() -> Message& {
    return line.fabric.context().messages[line.state(1).head_copy(line.in(1)).message];
  };
  packet().sub_message = 0xfffe;
  line.fabric.fail_router(2);
  line.to(40);
  EXPECT_EQ(packet().sub_message, 0xffff);
  line.fabric.repair_router(2);
  while (line.state(1).input(line.in(1)).flits_sent < 2) line.step();
  line.fabric.fail_router(2);
  line.step();
  EXPECT_EQ(packet().sub_message, 0xffff) << "restarted again";
  EXPECT_EQ(line.counters.retransmissions, 2u);
  line.to(line.fabric.cycles() + 20);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hd");
}

// The flits between the router before the fault and the one after it are sent twice if the link dies just
// after they have crossed it: COPIED is lost with it.
TEST(Utp, FlitsThatHavePassedAreDuplicatesForTheReceiver) {
  UtpLine line;
  line.send(8);
  line.to(18);
  line.fabric.fail_link(1, line.east(1));
  line.to(30);
  line.fabric.repair_link(1, line.east(1));
  line.expect_clean();
  // Router 2 has flits 0 to 6. Router 1 has copies of those that router 3 does not have: 2 to 7.
  EXPECT_EQ(line.consumed, "H D D D D D D BT RH D D D D D T ");
  EXPECT_EQ(line.counters.duplicate_flits, 7u) << "all data were there, so the message was complete";
  EXPECT_EQ(line.fates.kinds(), "hd");
}

// The tail has left router 1 in 12 and passed router 2 in 17; then router 2 dies with nothing of the message.
TEST(Utp, NothingIsRestartedOnceTheTailHasReachedTheNodeAfterTheNext) {
  UtpLine line;
  line.send(4);
  line.to(20);
  line.fabric.fail_router(2);
  line.to(40);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.counters.retransmissions, 0u);
  EXPECT_EQ(line.fates.delivered_at, 31u);
}

TEST(Utp, TheTailsCopyIsSentAgainWhileItsFateIsOpen) {
  UtpLine line;
  line.send(4);
  line.to(19);  // the tail would arrive at router 3 in 20
  line.fabric.fail_router(2);
  line.to(30);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.consumed, "H D D BT RH T ");
  EXPECT_EQ(line.fates.kinds(), "hd");
}

TEST(Utp, TheInterfaceSendsAgainWhatItsOwnRouterHasLost) {
  UtpLine line;
  line.send(12);
  line.to(9);  // router 1 has received flits 0 to 2
  line.fabric.fail_router(0);
  line.to(20);
  line.fabric.repair_router(0);
  line.expect_clean();
  EXPECT_EQ(line.consumed, "H D D BT H D D D D D D D D T ");
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_EQ(line.fates.kinds(), "hd");
}

TEST(Utp, AFaultOfTheDestinationEndsThePart) {
  UtpLine line;
  line.send(12);
  line.to(30);  // flits 0 to 2 are consumed
  line.fabric.fail_router(4);
  line.to(50);
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.consumed.substr(0, 9), "H D D RH ");
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_EQ(line.fates.kinds(), "hd");
}

// Routers 1 and 2 die together: nobody has the flits that were in both.
TEST(Utp, WhatTwoAdjacentRoutersLoseIsLost) {
  RecoverySettings recovery;
  recovery.guard_acknowledgement = "off";
  recovery.guard_timeout = 100;
  UtpLine line(one_vc_of("iq"), recovery);
  line.send(12);
  line.to(17);
  line.fabric.fail_router(1);
  line.fabric.fail_router(2);
  line.to(30);
  line.fabric.repair_router(1);
  line.fabric.repair_router(2);
  line.expect_clean(400000);
  EXPECT_EQ(line.fates.kinds(), "hl");
}

TEST(Utp, TheGuardFindsWhatTwoAdjacentRoutersLose) {
  UtpLine line;
  line.send(12);
  line.to(17);
  line.fabric.fail_router(1);
  line.fabric.fail_router(2);
  line.to(30);
  line.fabric.repair_router(1);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.kinds(), "hd");
  EXPECT_EQ(line.counters.detected_losses, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 1u);
}

// Router 1 absorbs the head after 30 cycles, and nobody has copies of the message any more.
TEST(Utp, TheNodeAsksForAMessageWhoseHeadHasWaitedTooLong) {
  UtpLine line(one_vc_of("iq"), {}, 30);
  line.fabric.fail_router(2);
  line.send(12);
  line.to(60);
  EXPECT_EQ(line.counters.requests, 1u);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.consumed, "H D D D D D D D D D D T ");
  EXPECT_EQ(line.counters.requests, 1u);
  EXPECT_EQ(line.counters.control_messages, 2u) << "a request, and its acknowledgement";
  EXPECT_EQ(line.counters.detected_losses, 0u);
  EXPECT_LT(line.fates.delivered_at, 200u);
}

TEST(Utp, ADestinationIsGivenUpAfterThreeHeadsWithoutARoute) {
  UtpLine line(one_vc_of("iq"), {}, 30);
  line.fabric.fail_link(1, line.east(1), false, true);
  line.send(12);
  line.to(1000);
  EXPECT_EQ(line.fates.undeliverable, 1u);
  EXPECT_EQ(line.counters.retransmissions, 2u);
  line.expect_clean();
}

// The head of the rest waits in router 1 for router 2, and is absorbed. Node 4 has the first four flits.
TEST(Utp, OnlyTheRestIsSentAgainIfARestartHeadHasWaitedTooLong) {
  UtpLine line(one_vc_of("iq"), {}, 30);
  line.send(12);
  line.to(20);
  line.fabric.fail_router(2);
  line.to(80);
  EXPECT_EQ(line.counters.requests, 1u);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.consumed, "H D D D BT H D D D D D D D T ");
  EXPECT_EQ(line.counters.duplicate_flits, 0u);
  EXPECT_EQ(line.counters.detected_losses, 0u);
}

/// Latency of 12 flits over 4 hops in preset sbrp with buffers of `depth` flits. Without copies a flit
/// follows another every two cycles: 2h + 1 + 2(P − 1) = 31.
Cycle latency(std::int64_t depth) {
  HardwareSettings hardware = one_vc_of("sbrp");
  hardware.router.input_buffer = depth;
  UtpLine line(hardware);
  line.send(12);
  line.expect_clean();
  return line.fates.delivered_at - 1;
}

// A slot is reused six cycles after the flit arrived: two to the next router, two to the one after it, when
// COPIED arrives; one for the credit, one for the link.
TEST(Utp, CopiesTriplyDelayFlitsInBuffersOfOne) {
  EXPECT_EQ(latency(1), 9u + 11 * 6);
}
TEST(Utp, CopiesDelayFlitsByHalfInBuffersOfTwo) {
  EXPECT_EQ(latency(2), 9u + 5 * 6 + 2);
}
TEST(Utp, CopiesCostNothingInBuffersOfFour) {
  EXPECT_EQ(latency(4), 31u);
}

// A message behind another one in the same virtual channel waits until the first one's copies are gone, and
// is not touched by its restart.
TEST(Utp, TheNextMessageWaitsUntilNoCopyIsLeft) {
  UtpLine line;
  line.send(3);
  line.send(3);
  line.to(18);
  line.fabric.fail_router(2);
  line.to(30);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

class UtpReallocation : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ways, UtpReallocation, testing::Values("atomic", "on-tail"), [](const auto& way) {
  std::string name = way.param;
  std::erase(name, '-');
  return name;
});

// A buffer full of copies waits for the router after it, not for more flits.
TEST_P(UtpReallocation, NoDeadlockIsFoundWhileBuffersAreFullOfCopies) {
  HardwareSettings hardware = one_vc_of("iq");
  hardware.router.input_buffer = 4;
  hardware.router.vc_reallocation = GetParam();
  UtpLine line(hardware);
  for (int i = 0; i < 4; ++i) {
    line.send(12);
    line.send(12, 1, 3);
  }
  for (Cycle t = 1; line.fates.delivered < 8 && t < 2000; ++t) {
    line.to(t);
    const std::optional<FoundDeadlock> found = find_deadlock(line.fabric);
    ASSERT_FALSE(found) << "cycle " << t << ":\n" << describe(*found, line.fabric);
  }
  EXPECT_EQ(line.fates.delivered, 8u);
  line.expect_clean();
}

}  // namespace
}  // namespace flitmend
