// SPDX-License-Identifier: Apache-2.0
// A channel's registers, cycle by cycle: flits, credits, control lines, fault status.
#include "rtl_tlm/signals/channel.h"

#include <gtest/gtest.h>

namespace flitmend {
namespace {

/// Announcements of control lines at one end: per slot, a word of port bits and a word of wake-up bits.
struct Control {
  std::vector<Word> ports = std::vector<Word>(8), wake = std::vector<Word>(8);
  ArrivalTarget target() { return {ports.data(), 4, wake.data(), 2}; }
  bool announced(Cycle t) const { return ports[t & 7] == 4 && wake[t & 7] == 2; }
};

/// Masks by virtual channel at one end: virtual channel 0 is bit 3; the other bits belong to other channels.
struct ByVc {
  static constexpr Word kOthers = 0b10000101;
  std::vector<Word> vcs = std::vector<Word>(8, kOthers), wake = std::vector<Word>(8);
  VcTarget target() { return {vcs.data(), 1 << 3, 0b1111 << 3, wake.data(), 2}; }
  /// The virtual channels announced for cycle t.
  VcMask at(Cycle t) const { return (vcs[t & 7] & ~kOthers) >> 3; }
  bool announced(Cycle t) const { return at(t) != 0 && wake[t & 7] == 2; }
};

class ChannelTest : public testing::Test {
 protected:
  ChannelTest()
      : channel("channel", 2, 3, 8,
                line_bit(ControlLine::forward_kill) | line_bit(ControlLine::backward_kill)) {
    channel.set_reader(flits.target(), reader_control.target());
    channel.set_writer(credits.target(), writer_control.target());
  }
  static Flit flit(std::uint64_t number, std::uint8_t vc = 0) {
    Flit f;
    f.number = static_cast<std::uint16_t>(number);
    f.vc = vc;
    f.kind = FlitKind::data;
    return f;
  }

  Channel channel;
  ByVc flits, credits;
  Control reader_control, writer_control;
};

TEST_F(ChannelTest, AFlitArrivesInItsCycleAndNotBefore) {
  channel.write(12, flit(7, 1));
  for (Cycle t = 9; t < 12; ++t) EXPECT_FALSE(flits.announced(t)) << t;
  ASSERT_TRUE(flits.announced(12));
  EXPECT_EQ(flits.at(12), 0b10u) << "by its virtual channel";
  EXPECT_EQ(channel.read(12).number, 7u);
}

TEST_F(ChannelTest, CarriesAFlitACycle) {
  for (Cycle t = 0; t < 6; ++t) channel.write(t + 2, flit(t));
  for (Cycle t = 2; t < 8; ++t) EXPECT_EQ(channel.read(t).number, t - 2);
}

TEST_F(ChannelTest, CountsWhatIsUnderwayByVirtualChannel) {
  channel.write(2, flit(1, 0));
  channel.write(3, flit(2, 1));
  channel.write(4, flit(3, 1));
  EXPECT_EQ(channel.flits_underway(0), 1u);
  EXPECT_EQ(channel.flits_underway(1), 2u);
  channel.send_credit(5, 1);
  EXPECT_EQ(channel.credits_underway(1), 1u);
  EXPECT_EQ(channel.credits_underway(0), 0u);
}

TEST_F(ChannelTest, CreditsOfOneCycleArriveTogetherAndOnce) {
  channel.send_credit(5, 0);
  channel.send_credit(5, 3);
  channel.send_credit(6, 1);
  EXPECT_FALSE(credits.announced(7));
  ASSERT_TRUE(credits.announced(8));
  EXPECT_EQ(channel.take_credits(8), 0b1001u);
  EXPECT_EQ(channel.take_credits(8), 0u) << "taken";
  EXPECT_EQ(channel.take_credits(9), 0b10u);
  EXPECT_EQ(credits.vcs, std::vector<Word>(8, ByVc::kOthers)) << "what belongs to others stays";
}

TEST_F(ChannelTest, ControlLinesTakeTheWayOfFlitsOrOfCredits) {
  EXPECT_TRUE(channel.has(ControlLine::forward_kill));
  EXPECT_FALSE(channel.has(ControlLine::copied));
  channel.raise(ControlLine::forward_kill, 10, 0b01);
  channel.raise(ControlLine::forward_kill, 10, 0b10);
  channel.raise(ControlLine::backward_kill, 10, 0b100);
  ASSERT_TRUE(reader_control.announced(12)) << "with the flits: latency 2";
  ASSERT_TRUE(writer_control.announced(13)) << "against them: latency 3";
  EXPECT_EQ(channel.take(ControlLine::forward_kill, 12), 0b11u);
  EXPECT_EQ(channel.take(ControlLine::forward_kill, 12), 0u) << "taken";
  EXPECT_EQ(channel.take(ControlLine::backward_kill, 13), 0b100u);
}

TEST_F(ChannelTest, AFaultIsSeenAtBothEndsInTheNextCycleAndLosesWhatIsOnTheWires) {
  channel.write(12, flit(1));
  channel.send_credit(10, 0);
  channel.raise(ControlLine::forward_kill, 10, 1);
  channel.fail(10);
  EXPECT_FALSE(channel.faulty(10));
  EXPECT_TRUE(channel.faulty(11));
  EXPECT_TRUE(reader_control.announced(11));
  EXPECT_TRUE(writer_control.announced(11));
  EXPECT_EQ(channel.flits_underway(0), 0u);
  EXPECT_EQ(channel.credits_underway(0), 0u);
  EXPECT_EQ(channel.take_credits(13), 0u);
  EXPECT_EQ(channel.take(ControlLine::forward_kill, 12), 0u);
  EXPECT_EQ(flits.at(12), 0u) << "the lost flit is not announced any more";
  channel.repair(20);
  EXPECT_TRUE(channel.faulty(20));
  EXPECT_FALSE(channel.faulty(21));
  EXPECT_TRUE(reader_control.announced(21));
}

TEST_F(ChannelTest, AChannelThatNobodyReadsTakesWhatIsSent) {
  Channel alone("alone", 1, 1, 2);
  alone.write(1, flit(3));
  alone.send_credit(0, 0);
  EXPECT_EQ(alone.read(1).number, 3u);
  EXPECT_EQ(alone.take_credits(1), 1u);
}

}  // namespace
}  // namespace flitmend
