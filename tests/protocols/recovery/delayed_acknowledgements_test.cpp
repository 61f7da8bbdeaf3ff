// SPDX-License-Identifier: Apache-2.0
// end-to-end with recovery.acknowledgement_delay.
#include "protocols/recovery/end_to_end/delayed_acknowledgements.h"

#include <gtest/gtest.h>

#include "protocols/recovery/end_to_end/window.h"
#include "protocols/recovery/registry.h"
#include "support/line_bench.h"

namespace flitmend {
namespace {

constexpr Cycle kDelay = 40;
// Over four hops the tail of a message of P flits is consumed 27 + P − 1 cycles after its head has left.
constexpr Cycle kControlTime = 27 + 2, kDataTime = 27 + 4;
constexpr Cycle kArrival = 1 + kDataTime;  ///< of a message of 5 flits

struct DelayedLine : LineBench {
  explicit DelayedLine(Cycle delay = kDelay, std::int64_t timeout = 0)
      : LineBench(make(delay, timeout), preset("iq")) {}
  static std::unique_ptr<RecoveryProtocol> make(Cycle delay, std::int64_t timeout) {
    RecoverySettings recovery;
    recovery.options.set("acknowledgement_delay", static_cast<std::int64_t>(delay));
    recovery.timeout = timeout;
    recovery.retry_limit = 1;
    return recovery_protocols().at("end-to-end").make(recovery, {});
  }
  std::size_t kept() { return fabric.context().messages.in_use(); }
  /// Node 4 gets a message, and nine cycles later one of that length leaves for its source.
  void answer(std::uint32_t length) {
    send(5);
    to(kArrival + 9);
    send(length, 4, 0);
  }
};

TEST(DelayedAcknowledgement, LeavesByItselfAfterTheDelay) {
  DelayedLine line;
  line.send(5);
  constexpr Cycle kForgotten = kArrival + kDelay + 1 + kControlTime;
  line.to(kForgotten - 1);
  EXPECT_EQ(line.fates.delivered_at, kArrival);
  EXPECT_EQ(line.kept(), 2u) << "the message and the acknowledgement";
  line.to(kForgotten);
  EXPECT_EQ(line.kept(), 0u);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 1u);
  EXPECT_EQ(line.counters.control_flits, 3u);
}

TEST(DelayedAcknowledgement, IsOneForAllThatHaveArrived) {
  DelayedLine line;
  for (int i = 0; i < 3; ++i) line.send(5);
  line.to(kArrival + kDelay + 1 + kControlTime);
  EXPECT_EQ(line.fates.delivered, 3u);
  EXPECT_EQ(line.kept(), 0u);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 1u);
}

// With 8 messages under way their sender waits. It goes on after the fourth.
TEST(DelayedAcknowledgement, LeavesAtOnceWhenHalfAWindowWaits) {
  DelayedLine line(1000);
  for (int i = 0; i < 40; ++i) line.send(5);
  line.to(kArrival + 15 + 1);
  EXPECT_EQ(line.counters.control_messages, 1u);
  line.to(600);
  EXPECT_EQ(line.fates.delivered, 40u);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 10u);
  EXPECT_EQ(line.counters.retransmissions, 0u);
}

TEST(DelayedAcknowledgement, IsWaitedForByTheTimer) {
  DelayedLine line(2000);  // the timer would end after about 260 cycles
  line.send(5);
  line.expect_clean();
  EXPECT_GT(line.fabric.cycles(), 2000u);
  EXPECT_EQ(line.counters.retransmissions, 0u);
  EXPECT_EQ(line.counters.control_messages, 1u);
}

TEST(DelayedAcknowledgement, OfADuplicateLeavesAtOnce) {
  DelayedLine line(2000, 100);
  line.send(5);
  line.to(300);
  EXPECT_EQ(line.kept(), 0u);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.retransmissions, 1u);
  EXPECT_EQ(line.counters.duplicate_flits, 5u);
  EXPECT_EQ(line.counters.control_messages, 1u);
}

// The answer leaves in time, and its tail has the acknowledgement. The answer's own is a control message.
TEST(DelayedAcknowledgement, IsCarriedByAMessageToTheSameNode) {
  DelayedLine line;
  line.send(5);
  line.to(kArrival + 1);
  line.send(5, 4, 1);  // goes elsewhere
  line.to(kArrival + 9);
  line.send(5, 4, 0);
  constexpr Cycle kAnswered = kArrival + 10 + kDataTime;
  line.to(kAnswered - 1);
  EXPECT_EQ(line.counters.control_messages, 0u);
  const std::size_t before = line.kept();
  line.to(kAnswered);
  EXPECT_EQ(before - line.kept(), 2u) << "the first message, and the packet of the answer";
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 2u) << "for the two messages of node 4";
  EXPECT_EQ(line.counters.retransmissions, 0u);
}

TEST(DelayedAcknowledgement, IsNotCarriedByAMessageWhoseTailIsLate) {
  DelayedLine line;
  line.answer(40);
  line.to(kArrival + kDelay);
  EXPECT_EQ(line.counters.control_messages, 1u);
  line.expect_clean();
  EXPECT_EQ(line.counters.control_messages, 2u);
}

TEST(DelayedAcknowledgement, ThatIsCutWithItsMessageIsRepeated) {
  DelayedLine line;
  line.answer(5);
  line.fail(2, kArrival + 10 + 13);  // the answer is there, and upstream
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 2u);
  EXPECT_EQ(line.fates.hit, 1u);
  EXPECT_GE(line.counters.duplicate_flits, 5u) << "the first message has arrived again";
}

TEST(DelayedAcknowledgement, IsForgottenByANodeThatDies) {
  DelayedLine line;
  line.send(5);
  line.to(kArrival + 9);
  line.fabric.fail_router(4, true);
  line.expect_clean();
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(line.counters.control_messages, 0u);
}

TEST(DelayedAcknowledgements, ExpireInOrderUnlessTheyAreTaken) {
  end_to_end::DelayedAcknowledgements owed;
  EXPECT_TRUE(owed.empty());
  EXPECT_EQ(owed.next_due(), kNever);
  EXPECT_FALSE(owed.take(3));
  EXPECT_EQ(owed.owe(3, 10, 8), 1u);
  EXPECT_EQ(owed.owe(5, 11, 8), 1u);
  EXPECT_EQ(owed.owe(3, 12, 8), 2u) << "due in cycle 10, too";
  EXPECT_EQ(owed.owe(7, 13, 8), 1u);
  EXPECT_TRUE(owed.take(5));
  EXPECT_FALSE(owed.take(5));
  EXPECT_EQ(owed.next_due(), 10u);
  EXPECT_EQ(owed.owe(5, 14, 8), 1u);
  std::vector<std::pair<Cycle, NodeId>> expired;
  for (Cycle t = 9; t < 16; ++t) owed.expire(t, [&](NodeId source) { expired.emplace_back(t, source); });
  EXPECT_EQ(expired, (std::vector<std::pair<Cycle, NodeId>>{{10, 3}, {13, 7}, {14, 5}}));
  EXPECT_TRUE(owed.empty());
  owed.owe(3, 20, 8);
  owed.clear();
  EXPECT_TRUE(owed.empty());
  EXPECT_FALSE(owed.take(3));
}

TEST(SelectiveAcknowledgement, SaysWhatHadArrivedThen) {
  using end_to_end::arrived;
  EXPECT_TRUE(arrived(9, 10, 0));
  EXPECT_FALSE(arrived(10, 10, 0b100));
  EXPECT_TRUE(arrived(12, 10, 0b100));
  EXPECT_TRUE(arrived(17, 10, 0x80));
  EXPECT_FALSE(arrived(18, 10, 0xff)) << "the sender has gone on since";
  EXPECT_TRUE(arrived(~0u, 2, 0)) << "numbers wrap around";
  EXPECT_TRUE(arrived(1, ~0u, 0b100));
  EXPECT_FALSE(arrived(0, ~0u, 0b100));
}

}  // namespace
}  // namespace flitmend
