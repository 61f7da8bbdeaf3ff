// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/sbrp_line.h"

namespace flitmend {
namespace {

// One message from 0 to 4 in preset iq, created in cycle 1: S(h + 1) + L·h + 3 + (P − 1).
constexpr Cycle zero_load(std::uint32_t flits) {
  return 4 * 5 + 4 + 3 + flits - 1;
}

TEST(Sbrp2, WithoutAFaultItCostsNothing) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 5);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered_at, 1 + zero_load(5));
  EXPECT_EQ(line.fates.injected, 1u);
  EXPECT_EQ(line.counters.control_messages, 0u);
  EXPECT_EQ(line.counters.requests, 0u);
  EXPECT_EQ(line.counters.peak_sender_bytes, 5u * 8);
  EXPECT_EQ(line.fabric.context().flits_consumed, 5u);
}

TEST(Sbrp2, TheSenderDropsItsCopyInTheCycleOfDelivery) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 5);
  line.to(zero_load(5));
  EXPECT_GT(line.fabric.context().messages.in_use(), 0u);
  line.to(1 + zero_load(5));
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
}

TEST(Sbrp2, TheReceiverAsksForTheRestByTheCycle) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 40);
  line.fail(2, 30);
  line.expect_clean();
  EXPECT_EQ(line.fates.hit, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
  const Cycle broken = line.consumed(4, FlitKind::broken_tail);
  ASSERT_NE(broken, kNever);
  // 13 cycles to compose the request.
  const Cycle request = line.sent(4, FlitKind::head);
  EXPECT_EQ(request, broken + 13);
  const Cycle arrived = line.consumed(0, FlitKind::tail);
  EXPECT_EQ(arrived, request + zero_load(4));
  // 19 cycles to receive it, and the acknowledgement of 4 flits goes first.
  EXPECT_EQ(line.sent(0, FlitKind::head, broken), arrived + 19);
  const Cycle rest = line.sent(0, FlitKind::head, arrived + 20);
  EXPECT_EQ(rest, arrived + 19 + 4);
  // The head and the piece's data have arrived; the rest is head, FSN, data flits, tail.
  unsigned data = 0;
  for (const SbrpLine::Sight& s : line.log)
    if (s.node == 4 && !s.sent && s.kind == FlitKind::data && s.cycle < broken) ++data;
  EXPECT_GT(data, 0u);
  EXPECT_EQ(line.counters.retransmitted_flits, 38 - data + 3);
  EXPECT_EQ(line.fates.delivered_at, rest + zero_load(38 - data + 3));
  EXPECT_EQ(line.counters.requests, 1u);
  EXPECT_EQ(line.counters.control_messages, 2u);
  EXPECT_EQ(line.counters.control_flits, 8u);
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.duplicate_flits, 0u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST(Sbrp2, OverheadsAreSettings) {
  SbrpLine::Settings settings;
  settings.recovery.options = {{"overhead.compose", 50}, {"overhead.receive", 50}};
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 40);
  line.fail(2, 30);
  line.expect_clean();
  const Cycle broken = line.consumed(4, FlitKind::broken_tail);
  const Cycle arrived = broken + 50 + zero_load(4);
  EXPECT_EQ(line.consumed(0, FlitKind::tail), arrived);
  EXPECT_EQ(line.sent(0, FlitKind::head, broken), arrived + 50);
}

TEST(Sbrp2, ASenderThatIsStillSendingInjectsAVirtualTail) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 2000);
  line.fail(2, 30);
  line.expect_clean();
  const Cycle tail = line.sent(0, FlitKind::virtual_tail);
  ASSERT_NE(tail, kNever);
  const Cycle request = line.consumed(0, FlitKind::tail);
  // One flit per cycle: the virtual tail is the next flit after the request has been received.
  EXPECT_EQ(tail, request + 19);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_LT(line.fabric.context().flits_injected, 2000u + 300);
}

TEST(Sbrp2, APieceCanBeCutAgain) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 100);
  line.fail(2, 40);
  // The acknowledgement of the request is sent, then the rest of the message.
  while (line.sent(0, FlitKind::tail, 42) == kNever) line.step();
  while (line.sent(0, FlitKind::head, line.sent(0, FlitKind::tail, 42)) == kNever) line.step();
  line.fail(3, line.fabric.cycles() + 40);
  line.expect_clean();
  EXPECT_EQ(line.fates.hit, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.retransmissions, 2u);
  EXPECT_EQ(line.counters.requests, 2u);
  EXPECT_LT(line.counters.retransmitted_flits, 2u * 100);
}

TEST(Sbrp2, AHeadThatIsLostIsTheGuardsWork) {
  SbrpLine::Settings settings;
  settings.recovery.guard_timeout = 300;
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 5);
  line.fail(2, 13, 15);
  line.to(300);
  EXPECT_EQ(line.fates.delivered, 0u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  // Its tail left in cycle 5, its timer ran for 300 + 4·5 cycles.
  const Cycle again = line.sent(0, FlitKind::head, 20);
  EXPECT_EQ(again, line.sent(0, FlitKind::tail) + 320);
  EXPECT_EQ(line.fates.delivered_at, again + zero_load(5 + 1));
  EXPECT_EQ(line.counters.detected_losses, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 1u);
  EXPECT_EQ(line.counters.guard_spurious, 0u);
  EXPECT_EQ(line.counters.requests, 0u);
}

TEST(Sbrp2, WithoutAGuardALostHeadIsALostMessage) {
  SbrpLine::Settings settings;
  settings.recovery.guard_timeout = 300;
  settings.recovery.guard_acknowledgement = "off";
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 5);
  line.fail(2, 13, 15);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 0u);
  EXPECT_EQ(line.fates.lost, 1u);
  EXPECT_EQ(line.counters.detected_losses, 0u);
}

TEST(Sbrp2, AGuardThatIsTooImpatientIsCountedAndItsCopyIsDropped) {
  SbrpLine::Settings settings;
  settings.recovery.guard_timeout = 1;
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 4);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_spurious, 1u);
  EXPECT_EQ(line.counters.detected_losses, 0u);
  EXPECT_EQ(line.counters.duplicate_flits, 5u);
}

TEST(Sbrp2, ARealGuardAcknowledgesEveryMessage) {
  SbrpLine::Settings settings;
  settings.recovery.guard_acknowledgement = "real";
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 5);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered_at, 1 + zero_load(5));
  EXPECT_EQ(line.counters.control_messages, 1u);
  EXPECT_EQ(line.counters.control_flits, 4u);
  EXPECT_EQ(line.sent(4, FlitKind::head), line.fates.delivered_at + 1);
}

TEST(Sbrp2, ALostAcknowledgementOfTheGuardMakesADuplicateThatIsDropped) {
  SbrpLine::Settings settings;
  settings.recovery.guard_acknowledgement = "real";
  settings.recovery.guard_timeout = 300;
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, 5);
  line.to(45);
  EXPECT_EQ(line.fates.delivered, 1u);
  line.fabric.fail_router(2);
  line.fail(3, 46);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.hit, 0u) << "only a control message was hit";
  EXPECT_EQ(line.counters.control_messages, 2u);
  EXPECT_EQ(line.counters.duplicate_flits, 6u);
  EXPECT_EQ(line.counters.guard_spurious, 1u);
}

TEST(Sbrp2, ARequestThatIsLostIsRepeated) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 40);
  line.fail(2, 30);
  while (line.sent(4, FlitKind::tail) == kNever) line.step();
  const Cycle request = line.sent(4, FlitKind::tail);
  line.fail(3, request + 4);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  // 600 cycles after its last flit has left.
  EXPECT_EQ(line.sent(4, FlitKind::head, request), request + 600);
  EXPECT_EQ(line.counters.requests, 1u);
  EXPECT_EQ(line.counters.control_messages, 3u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST(Sbrp2, AnAcknowledgementThatIsLostRepeatsTheRequestButNotTheMessage) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 40);
  line.fail(2, 30);
  while (line.consumed(0, FlitKind::tail) == kNever) line.step();
  line.fail(2, line.consumed(0, FlitKind::tail) + 19 + 12, 3);  // the acknowledgement is in router 2
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_GE(line.counters.control_messages, 4u);
  EXPECT_LE(line.counters.retransmissions, 2u);
}

TEST(Sbrp2, ARequestOutlivesTheRouterOfItsAuthor) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 40);
  line.fail(2, 30);
  while (line.consumed(4, FlitKind::broken_tail) == kNever) line.step();
  const Cycle broken = line.consumed(4, FlitKind::broken_tail);
  line.fail(4, broken + 5, 40);  // while the request is composed
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_EQ(line.counters.requests, 1u);
}

TEST(Sbrp2, ADeadDestinationRouterCountsAsABrokenTail) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 100);
  line.fail(4, 60);
  line.expect_clean();
  EXPECT_EQ(line.consumed(4, FlitKind::broken_tail), kNever);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.requests, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
}

TEST(Sbrp2, TheSourcesInterfaceSendsAgainWhatItsRouterLost) {
  SbrpLine line;
  line.fabric.network_interface(0).send(4, 100);
  line.fail(0, 8);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.injected, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 0u);
  EXPECT_LT(line.fates.delivered_at, 1000u);
}

TEST(Sbrp2, MessagesToADeadDestinationAreUndeliverable) {
  SbrpLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(60);
  line.fabric.fail_router(4, true);
  line.to(70);
  line.fabric.network_interface(0).send(4, 12);
  line.fabric.network_interface(0).send(3, 12);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered + line.fates.undeliverable, 22u);
  EXPECT_GT(line.fates.undeliverable, 15u);
  EXPECT_EQ(line.fates.lost, 0u);
}

TEST(Sbrp2, MessagesOfADeadSourceAreVoid) {
  SbrpLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(60);
  line.fabric.fail_router(0, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered + line.fates.voided, 20u);
  EXPECT_GT(line.fates.voided, 15u);
}

TEST(Sbrp2, AMessageWithoutARouteIsUndeliverableAfterThreeAttempts) {
  SbrpLine::Settings settings;
  settings.head_wait = 30;
  SbrpLine line(settings);
  line.fabric.fail_link(1, line.east(1), false, true);
  line.fabric.network_interface(0).send(4, 12);
  line.fabric.network_interface(0).send(1, 12);
  line.to(2000);
  EXPECT_EQ(line.fates.undeliverable, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.retransmissions, 2u);
  EXPECT_EQ(line.counters.requests, 3u);
  line.expect_clean();
}

class Sbrp2Short : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Sbrp2Short, MessagesAreRepairedToo) {
  SbrpLine::Settings settings;
  settings.recovery.guard_timeout = 200;
  SbrpLine line(settings);
  line.fabric.network_interface(0).send(4, GetParam());
  line.fail(1, 9);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.guard_repaired, 1u);
}

INSTANTIATE_TEST_SUITE_P(Length, Sbrp2Short, testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace flitmend
