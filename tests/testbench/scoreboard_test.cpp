// SPDX-License-Identifier: Apache-2.0
#include "testbench/scoreboard/scoreboard.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

constexpr NodeId kNodes = 16;

Message message(NodeId source, NodeId destination, std::uint32_t id, Cycle created = 0) {
  Message m;
  m.created = created;
  m.source = source;
  m.destination = destination;
  m.id = id;
  m.length = 5;
  return m;
}

/// Counts what the scoreboard forwards.
struct Next : MessageObserver {
  void message_created(MessageIndex, const Message&) override { ++created; }
  void message_injected(MessageIndex, const Message&, Cycle) override { ++injected; }
  void message_delivered(MessageIndex, const Message&, NodeId, Cycle) override { ++delivered; }
  void message_corrupted(MessageIndex, const Message&, Cycle) override { ++corrupted; }
  void message_undeliverable(MessageIndex, const Message&, Cycle) override { ++undeliverable; }
  void message_hit(MessageIndex, const Message&, Cycle) override { ++hit; }
  void message_void(MessageIndex, const Message&, Cycle) override { ++voided; }
  void message_lost(MessageIndex, const Message&, Cycle) override { ++lost; }
  int created = 0, injected = 0, delivered = 0, corrupted = 0, undeliverable = 0, lost = 0, hit = 0,
      voided = 0;
};

void expect_conserved(const MessageResults& m) {
  EXPECT_EQ(m.generated, m.delivered + m.lost + m.undeliverable + m.voided + m.in_flight);
}

/// Exactly this one violation, with these numbers.
void expect_only(const Scoreboard& s, const std::string& what, const Message& m, std::optional<NodeId> node,
                 Cycle cycle) {
  ASSERT_EQ(s.violations(), 1u);
  const Violation& v = s.first_violations().at(0);
  EXPECT_EQ(v.what, what);
  EXPECT_EQ(v.message, m.id);
  EXPECT_EQ(v.source, m.source);
  EXPECT_EQ(v.destination, m.destination);
  EXPECT_EQ(v.node, node ? std::optional<std::uint64_t>(*node) : std::nullopt);
  EXPECT_EQ(v.cycle, cycle);
}

}  // namespace

TEST(Scoreboard, EveryMessageOnceIsClean) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  for (std::uint32_t id = 0; id < 1000; ++id) {
    const Message m = message(id % 3, 7, id / 3, id);
    s.message_created(id % 50, m);
    s.message_injected(id % 50, m, id + 1);
    s.message_delivered(id % 50, m, 7, id + 30);
  }
  s.finish(2000, true);
  EXPECT_EQ(s.violations(), 0u);
  MessageResults expected;
  expected.generated = expected.delivered = 1000;
  EXPECT_EQ(s.messages(), expected);
  EXPECT_EQ(next.created, 1000);
  EXPECT_EQ(next.injected, 1000);
  EXPECT_EQ(next.delivered, 1000);
}

TEST(Scoreboard, FindsASecondDelivery) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message m = message(3, 9, 0);
  s.message_created(4, m);
  s.message_delivered(4, m, 9, 40);
  s.message_delivered(4, m, 9, 55);
  s.finish(100, true);
  expect_only(s, "delivered again", m, 9, 55);
  EXPECT_EQ(s.messages().duplicated, 1u);
  EXPECT_EQ(s.messages().delivered, 1u);
  EXPECT_EQ(next.delivered, 1);
  expect_conserved(s.messages());
}

TEST(Scoreboard, FindsASecondDeliveryAfterTheDescriptorServesAnotherMessage) {
  Scoreboard s(kNodes, {});
  const Message old = message(3, 9, 0), young = message(5, 9, 0, 50);
  s.message_created(4, old);
  s.message_delivered(4, old, 9, 40);
  s.message_created(4, young);
  s.message_delivered(4, old, 9, 60);
  s.message_delivered(4, young, 9, 80);
  s.finish(100, true);
  expect_only(s, "delivered again", old, 9, 60);
  EXPECT_EQ(s.messages().delivered, 2u);
  expect_conserved(s.messages());
}

TEST(Scoreboard, FindsADeliveryByAnotherDescriptor) {
  Scoreboard s(kNodes, {});
  const Message m = message(3, 9, 0);
  s.message_created(4, m);
  s.message_delivered(4, m, 9, 40);
  s.message_delivered(4000000, m, 9, 60);  // a copy with its own descriptor
  expect_only(s, "delivered again", m, 9, 60);
}

TEST(Scoreboard, FindsAMessageThatNobodySent) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message m = message(3, 9, 17);
  s.message_delivered(4, m, 9, 40);
  s.finish(100, true);
  expect_only(s, "delivered, but never created", m, 9, 40);
  EXPECT_EQ(s.messages(), MessageResults{});
  EXPECT_EQ(next.delivered, 0);
}

TEST(Scoreboard, FindsAMessageFromANodeThatDoesNotExist) {
  Scoreboard s(kNodes, {});
  const Message from = message(kNodes, 9, 0), to = message(1, kNodes, 0);
  s.message_created(0, from);
  s.message_created(1, to);
  s.message_delivered(0, from, 9, 4);
  ASSERT_EQ(s.violations(), 3u);
  EXPECT_EQ(s.first_violations()[0].what, "created from or for a node that does not exist");
  EXPECT_EQ(s.first_violations()[1].what, "created from or for a node that does not exist");
  EXPECT_EQ(s.first_violations()[2].what, "delivered, but never created");
}

TEST(Scoreboard, FindsADeliveryToTheWrongNode) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message m = message(3, 9, 0);
  s.message_created(4, m);
  s.message_delivered(4, m, 8, 40);
  expect_only(s, "delivered to another node", m, 8, 40);
  EXPECT_EQ(s.messages().delivered, 0u);
  s.finish(100, true);
  EXPECT_EQ(s.messages().lost, 1u);
  EXPECT_EQ(next.delivered, 0);
  expect_conserved(s.messages());
}

TEST(Scoreboard, TheDestinationIsThatOfTheCreation) {
  Scoreboard s(kNodes, {});
  Message m = message(3, 9, 0);
  s.message_created(4, m);
  m.destination = 8;  // the model changed the message
  s.message_delivered(4, m, 8, 40);
  expect_only(s, "delivered to another node", m, 8, 40);
}

TEST(Scoreboard, FindsAMessageThatNeverArrives) {
  Scoreboard s(kNodes, {});
  const Message late = message(5, 9, 0, 20), early = message(3, 9, 0, 10);
  s.message_created(1, late);
  s.message_created(4, early);
  s.finish(100, true);
  ASSERT_EQ(s.violations(), 2u);
  EXPECT_EQ(s.first_violations()[0].what, "never delivered");
  EXPECT_EQ(s.first_violations()[0].source, 3u);  // the oldest first
  EXPECT_EQ(s.first_violations()[1].source, 5u);
  EXPECT_EQ(s.messages().lost, 2u);
  EXPECT_EQ(s.messages().in_flight, 0u);
  expect_conserved(s.messages());
}

TEST(Scoreboard, WithoutADrainMessagesMayBeUnderWay) {
  Scoreboard s(kNodes, {});
  s.message_created(4, message(3, 9, 0));
  s.finish(100, false);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().in_flight, 1u);
  expect_conserved(s.messages());
}

TEST(Scoreboard, AMessageHeldBackIsGeneratedAndInFlight) {
  Scoreboard s(kNodes, {});
  s.message_created(4, message(3, 9, 0));
  s.finish(100, false);
  s.message_held_back(message(3, 9, 0));
  s.message_held_back(message(5, 9, 0));
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().generated, 3u);
  EXPECT_EQ(s.messages().in_flight, 3u);
  EXPECT_EQ(s.messages().held_back, 2u);
  expect_conserved(s.messages());
}

TEST(Scoreboard, LossIsCountedAndJudgedByThePromise) {
  for (bool promised : {true, false}) {
    Next next;
    Scoreboard s(kNodes, {.may_lose = promised ? 0 : kLongestMessage, .keep = 20}, &next);
    const Message known = message(3, 9, 0), silent = message(3, 9, 1);
    s.message_created(4, known);
    s.message_created(5, silent);
    s.message_hit(4, known, 40);
    s.message_hit(5, silent, 40);
    s.message_lost(4, known, 50);
    s.message_lost(4, known, 51);  // reported twice, counted once
    s.finish(100, true);
    EXPECT_EQ(s.messages().lost, 2u);
    EXPECT_EQ(s.violations(), promised ? 2u : 0u);
    EXPECT_EQ(next.lost, 1);
    EXPECT_EQ(next.hit, 2);
    EXPECT_EQ(s.messages().hit, 2u);
    expect_conserved(s.messages());
  }
}

// Whatever the protocol promises. It cannot be delivered after that.
TEST(Scoreboard, WhatAResetDiscardsIsLostAndNoViolation) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  s.message_created(4, message(3, 9, 0));
  s.message_created(5, message(3, 9, 1));
  s.message_hit(5, message(3, 9, 1), 40);
  s.message_discarded(4, message(3, 9, 0), 50);
  s.message_discarded(5, message(3, 9, 1), 50);
  s.message_created(4, message(3, 9, 2));
  s.message_delivered(4, message(3, 9, 2), 9, 90);
  s.finish(100, true);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().lost, 2u);
  EXPECT_EQ(s.messages().discarded, 2u);
  EXPECT_EQ(next.lost, 2);
  expect_conserved(s.messages());
}

TEST(Scoreboard, WithoutAPromiseOnlyMessagesThatAFaultHitMayBeLost) {
  Scoreboard s(kNodes, {.may_lose = kLongestMessage, .keep = 20});
  s.message_created(4, message(3, 9, 0));
  s.message_created(5, message(3, 9, 1));
  s.message_lost(4, message(3, 9, 0), 50);
  s.finish(100, true);
  ASSERT_EQ(s.violations(), 2u);
  EXPECT_EQ(s.first_violations()[0].what, "lost");
  EXPECT_EQ(s.first_violations()[1].what, "never delivered");
}

TEST(Scoreboard, AFaultHitsAMessageOnceWhileItIsUnderWay) {
  Scoreboard s(kNodes, {});
  const Message twice = message(3, 9, 0), late = message(3, 9, 1);
  s.message_created(4, twice);
  s.message_created(5, late);
  s.message_hit(4, twice, 20);
  s.message_hit(4, twice, 30);
  s.message_delivered(4, twice, 9, 40);
  s.message_delivered(5, late, 9, 40);
  s.message_hit(5, late, 50);
  EXPECT_EQ(s.violations(), 2u);
  EXPECT_EQ(s.messages().hit, 1u);
}

TEST(Scoreboard, AMessageOfADeadNodeIsVoid) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  s.message_created(4, message(3, 9, 0));
  s.message_void(4, message(3, 9, 0), 30);
  s.finish(100, true);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().voided, 1u);
  EXPECT_EQ(next.voided, 1);
  expect_conserved(s.messages());
}

TEST(Scoreboard, GivenUpMessagesAreSettledWithoutViolation) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message dead_end = message(3, 9, 0);
  s.message_created(4, dead_end);
  s.message_undeliverable(4, dead_end, 30);
  s.finish(100, true);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().undeliverable, 1u);
  EXPECT_EQ(next.undeliverable, 1);
  expect_conserved(s.messages());
}

TEST(Scoreboard, GivenUpAndDeliveredAllTheSameCountsAsDelivered) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message before = message(3, 9, 0), after = message(3, 9, 1), reused = message(3, 9, 2);
  s.message_created(4, before);
  s.message_undeliverable(4, before, 30);
  s.message_delivered(4, before, 9, 40);
  s.message_created(5, after);
  s.message_delivered(5, after, 9, 40);
  s.message_undeliverable(5, after, 50);
  s.message_created(5, reused);
  s.message_undeliverable(5, after, 60);  // its descriptor is used by another message
  s.message_delivered(5, reused, 9, 70);
  s.finish(100, true);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().delivered, 3u);
  EXPECT_EQ(s.messages().undeliverable, 0u);
  EXPECT_EQ(next.delivered, 3);
  expect_conserved(s.messages());
}

TEST(Scoreboard, FindsOtherBytes) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  const Message m = message(3, 9, 0);
  s.message_created(4, m);
  s.message_delivered(4, m, 9, 40);
  s.message_corrupted(4, m, 40);
  expect_only(s, "delivered with other bytes than were sent", m, 9, 40);
  EXPECT_EQ(s.messages().corrupted, 1u);
  EXPECT_EQ(s.messages().delivered, 1u);
  EXPECT_EQ(next.corrupted, 1);
}

TEST(Scoreboard, FindsADescriptorReusedTooEarly) {
  Scoreboard s(kNodes, {});
  const Message first = message(3, 9, 0), second = message(3, 9, 1, 60);
  s.message_created(4, first);
  s.message_created(4, second);
  s.message_delivered(4, second, 9, 90);
  s.finish(100, true);
  expect_only(s, "its descriptor was given to another message before it was delivered", first, std::nullopt,
              60);
  EXPECT_EQ(s.messages().lost, 1u);
  expect_conserved(s.messages());
}

TEST(Scoreboard, FindsIdsOutOfSequence) {
  Scoreboard s(kNodes, {});
  const Message first = message(3, 9, 0);
  s.message_created(4, first);
  s.message_created(5, message(3, 9, 0, 7));  // the same id again
  s.message_created(6, message(3, 9, 2, 8));  // skips an id
  ASSERT_EQ(s.violations(), 2u);
  for (const Violation& v : s.first_violations()) EXPECT_EQ(v.what, "created with an id out of sequence");
  EXPECT_EQ(s.messages().generated, 1u);
}

TEST(Scoreboard, EventsOfUnknownMessagesAreViolations) {
  Next next;
  Scoreboard s(kNodes, {}, &next);
  s.message_injected(4, message(3, 9, 0), 1);
  s.message_undeliverable(4, message(3, 9, 0), 2);
  s.message_lost(4, message(3, 9, 0), 3);
  ASSERT_EQ(s.violations(), 3u);
  EXPECT_EQ(s.first_violations()[0].what, "injected, but never created");
  for (int i = 1; i < 3; ++i) EXPECT_EQ(s.first_violations()[i].what, "abandoned, but never created");
  EXPECT_EQ(next.injected + next.undeliverable + next.lost, 0);
}

TEST(Scoreboard, KeepsTheFirstViolationsAndCountsAll) {
  Scoreboard s(kNodes, {.may_lose = 0, .keep = 3});
  const Message m = message(3, 9, 0);
  s.message_created(4, m);
  for (Cycle c = 0; c < 100; ++c) s.message_delivered(4, m, 9, c);
  EXPECT_EQ(s.violations(), 99u);
  ASSERT_EQ(s.first_violations().size(), 3u);
  EXPECT_EQ(s.first_violations()[2].cycle, 3u);
}

}  // namespace flitmend
