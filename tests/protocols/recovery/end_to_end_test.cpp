// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "protocols/recovery/end_to_end/window.h"
#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

std::unique_ptr<RecoveryProtocol> end_to_end(std::int64_t timeout, std::int64_t head_wait = 200) {
  RecoverySettings recovery;
  recovery.timeout = timeout;
  RoutingSettings routing;
  routing.head_wait_cycles = head_wait;
  return recovery_protocols().at("end-to-end").make(recovery, routing);
}

struct EndToEndLine : LineBench {
  explicit EndToEndLine(const char* preset_name = "iq", std::int64_t timeout = 0,
                        std::int64_t head_wait = 200)
      : LineBench(end_to_end(timeout, head_wait), preset(preset_name)) {}
  void expect_clean() {
    LineBench::expect_clean();
    EXPECT_EQ(fates.lost, 0u);
  }
};

TEST(EndToEnd, WithoutAFaultItCostsOneAcknowledgementPerMessage) {
  EndToEndLine line;
  line.fabric.network_interface(0).send(4, 5);
  line.to(60);
  EXPECT_EQ(line.fates.delivered, 1u);
  // The same as without a protocol: S(h + 1) + L·h + 3 + (P − 1), created in cycle 1.
  EXPECT_EQ(line.fates.delivered_at, 1u + 4 * 5 + 4 + 3 + 4);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 1u);
  EXPECT_EQ(line.counters.control_flits, 3u);
  EXPECT_EQ(line.counters.retransmissions, 0u);
  EXPECT_EQ(line.counters.peak_sender_bytes, 5u * 8);
  EXPECT_EQ(line.fabric.context().flits_consumed, 5u + 3);
  EXPECT_EQ(line.fates.injected, 1u);
}

TEST(EndToEnd, TheSenderForgetsWhenTheAcknowledgementIsThere) {
  EndToEndLine line;
  line.fabric.network_interface(0).send(4, 5);
  line.to(32);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.delivered_at, 32u);
  // Created in that cycle, leaves in the next: 3 flits over the same distance.
  const Cycle back = 33 + 4 * 5 + 4 + 3 + 2;
  line.to(back - 1);
  EXPECT_GT(line.fabric.context().messages.in_use(), 0u);
  line.to(back);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
}

struct SixStepLine : LineBench {
  SixStepLine() : LineBench(make(), preset("iq")) {}
  static std::unique_ptr<RecoveryProtocol> make() {
    RecoverySettings recovery;
    recovery.options.set("handshake", "six-step");
    return recovery_protocols().at("end-to-end").make(recovery, {});
  }
};

// Three flits to ask for a buffer, three to say that there is one, then the message and its acknowledgement.
// Over four hops the tail of a message of P flits is consumed 27 + P − 1 cycles after its head has left.
TEST(EndToEnd, WithSixStepsDataWaitForABuffer) {
  SixStepLine line;
  line.fabric.network_interface(0).send(4, 5);
  constexpr Cycle kControl = 27 + 2, kData = 27 + 4;
  constexpr Cycle kAsked = 1 + kControl, kReady = kAsked + 1 + kControl, kDelivered = kReady + 1 + kData;
  line.to(kDelivered);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.delivered_at, kDelivered);
  line.to(kDelivered + 1 + kControl);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 3u);
  EXPECT_EQ(line.counters.control_flits, 9u);
  EXPECT_EQ(line.counters.retransmissions, 0u);
}

TEST(EndToEnd, WithSixStepsARequestToADeadNodeGivesItUp) {
  SixStepLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(3);
  line.fabric.fail_router(4, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.undeliverable, 20u);
}

TEST(EndToEnd, ACutMessageIsSentAgainAndArrivesOnce) {
  EndToEndLine line;
  line.fabric.network_interface(0).send(4, 40);
  line.to(30);
  line.fabric.fail_router(2);
  line.to(40);
  line.fabric.repair_router(2);
  line.expect_clean();
  EXPECT_EQ(line.fates.hit, 1u);
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.injected, 1u);
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.retransmitted_flits, 40u);
}

TEST(EndToEnd, ARefusalSendsAtOnceWithoutWaitingForTheTimer) {
  EndToEndLine line("iq", 100000);
  line.fabric.network_interface(0).send(4, 40);
  line.to(30);
  line.fabric.fail_router(2);  // its head is in router 3: the piece reaches the receiver
  line.to(40);
  line.fabric.repair_router(2);
  line.to(1000);
  EXPECT_EQ(line.fates.delivered, 1u);
  line.expect_clean();
}

TEST(EndToEnd, ALostHeadIsMadeUpForByTheTimer) {
  EndToEndLine line("iq", 300);
  line.fabric.network_interface(0).send(4, 5);
  line.to(13);
  line.fabric.fail_router(2);  // its head is there, the rest upstream
  line.to(28);
  line.fabric.repair_router(2);
  line.to(300);
  EXPECT_EQ(line.fates.delivered, 0u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_GT(line.fates.delivered_at, 300u);
}

TEST(EndToEnd, ALostAcknowledgementMakesADuplicateThatIsDropped) {
  EndToEndLine line("iq", 200);
  line.fabric.network_interface(0).send(4, 5);
  line.to(45);  // delivered in cycle 32, the acknowledgement is on its way
  EXPECT_EQ(line.fates.delivered, 1u);
  line.fabric.fail_router(2);
  line.fabric.fail_router(3);
  line.to(55);
  line.fabric.repair_router(2);
  line.fabric.repair_router(3);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.fates.hit, 0u) << "only a control message was hit";
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.duplicate_flits, 5u);
  EXPECT_EQ(line.counters.control_messages, 2u);
}

TEST(EndToEnd, SourceAndDestinationSurviveTransientFaults) {
  EndToEndLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(60);
  line.fabric.fail_router(0);
  line.to(90);
  line.fabric.repair_router(0);
  line.to(120);
  line.fabric.fail_router(4);
  line.to(150);
  line.fabric.repair_router(4);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 20u);
  EXPECT_GT(line.fates.hit, 0u);
}

TEST(EndToEnd, MessagesToADeadDestinationAreUndeliverable) {
  EndToEndLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(60);
  line.fabric.fail_router(4, true);
  line.to(70);
  line.fabric.network_interface(0).send(4, 12);
  line.fabric.network_interface(0).send(3, 12);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered + line.fates.undeliverable, 22u);
  EXPECT_GT(line.fates.undeliverable, 15u);
}

TEST(EndToEnd, MessagesOfADeadSourceAreVoid) {
  EndToEndLine line;
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.to(60);
  line.fabric.fail_router(0, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered + line.fates.voided, 20u);
  EXPECT_GT(line.fates.voided, 15u);
}

// No router tells the sender that a head found no route. Only its timer expires, first after 50 cycles, then
// doubled at most five times.
TEST(EndToEnd, ADestinationWithoutARouteIsAbandoned) {
  EndToEndLine line("iq", 50, 30);
  line.fabric.fail_link(1, line.east(1), false, true);
  for (int i = 0; i < 20; ++i) line.fabric.network_interface(0).send(4, 12);
  line.fabric.network_interface(0).send(1, 12);
  constexpr Cycle kTimers = 50 * (1 + 2 + 4 + 8 + 16 + 32 * 12);  // 16 retries
  line.bench.run(kTimers);
  EXPECT_EQ(line.fates.undeliverable, 0u) << "the time to send is not in it";
  EXPECT_EQ(line.fates.delivered, 1u);
  line.bench.run(kTimers / 4);
  EXPECT_EQ(line.fates.undeliverable, 20u);
  EXPECT_EQ(line.counters.retransmissions, 16u * 8) << "of the messages in the window";
  line.fabric.network_interface(0).send(4, 12);
  line.expect_clean();
  EXPECT_EQ(line.fates.undeliverable, 21u);
}

TEST(ReceiveWindow, RemembersWhatArrived) {
  end_to_end::ReceiveWindow window;
  EXPECT_FALSE(window.has(0));
  window.add(2);
  EXPECT_TRUE(window.has(2));
  EXPECT_FALSE(window.has(0));
  EXPECT_EQ(window.first(), 0u);
  window.add(0);
  window.add(1);
  EXPECT_EQ(window.first(), 3u);
  for (std::uint32_t n : {0u, 1u, 2u}) EXPECT_TRUE(window.has(n));
  EXPECT_TRUE(window.has(3 + end_to_end::kWindow)) << "no sender is so far ahead";
  EXPECT_TRUE(window.has(~0u)) << "long ago";
}

}  // namespace
}  // namespace flitmend
