// SPDX-License-Identifier: Apache-2.0
#include "testbench/recording/fault_path.h"

#include <gtest/gtest.h>

#include <string>

namespace flitmend {
namespace {

Message named(NodeId source, std::uint32_t id, NodeId destination = 9) {
  Message m;
  m.source = source;
  m.id = id;
  m.destination = destination;
  return m;
}

std::string text(const FaultStory& story) {
  std::string all;
  for (const FaultStory::Moment& moment : story.moments())
    all += std::string(moment.name) + " " + std::to_string(moment.cycle) + "; ";
  return all;
}

}  // namespace

TEST(FaultStory, TellsOfTheFirstMessageHit) {
  FaultStory story(0, kNever);
  const Message ours = named(3, 7), other = named(4, 7);
  story.message_resent(0, ours, 5);  // before any fault
  story.message_hit(0, ours, 10);
  story.message_hit(1, other, 10);
  story.control_sent(2, named(5, 0, 4), 12);  // to another sender
  story.message_resent(1, other, 13);
  story.message_delivered(1, other, 9, 14);
  story.control_sent(2, named(5, 0, 3), 15);
  story.control_sent(2, named(5, 1, 3), 16);  // repeated
  story.message_resent(0, ours, 20);
  story.message_resent(0, ours, 21);
  story.message_delivered(0, ours, 9, 30);
  story.message_lost(0, ours, 31);
  EXPECT_EQ(text(story), "fault 10; request 15; restart 20; complete 30; ");
}

TEST(FaultStory, EndsWithALoss) {
  FaultStory story(0, kNever);
  EXPECT_EQ(text(story), "");
  story.message_hit(0, named(3, 7), 10);
  story.message_lost(0, named(3, 7), 12);
  story.control_sent(2, named(5, 0, 3), 15);
  EXPECT_EQ(text(story), "fault 10; lost 12; ");
}

TEST(FaultStory, IsOfTheCyclesRecorded) {
  FaultStory story(20, 30);
  story.message_hit(0, named(3, 7), 19);
  story.message_hit(0, named(3, 8), 31);
  EXPECT_EQ(text(story), "");
  story.message_hit(0, named(3, 9), 30);
  story.message_undeliverable(0, named(3, 9), 90);
  EXPECT_EQ(text(story), "fault 30; undeliverable 90; ");
}

}  // namespace flitmend
