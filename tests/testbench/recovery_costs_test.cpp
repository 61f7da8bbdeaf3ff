// SPDX-License-Identifier: Apache-2.0
// What recovery costs, in closed forms on a line of five routers.
#include <gtest/gtest.h>

#include "protocols/recovery/registry.h"
#include "support/line_bench.h"
#include "testbench/statistics/run_statistics.h"

namespace flitmend {
namespace {

constexpr unsigned kHops = 4;
constexpr unsigned kVcs = 4;  // of preset iq

/// Messages from 0 to 4, with everything that a run counts.
struct CostLine : LineBench {
  explicit CostLine(const char* name, const char* guard = "assumed")
      : LineBench(recovery_protocols().at(name).make(with_guard(guard), {}), preset("iq")),
        statistics(bench.topology(), {0, kNever}) {
    fabric.add_observer(static_cast<MessageObserver&>(statistics));
  }
  static RecoverySettings with_guard(const char* guard) {
    RecoverySettings s;
    s.guard_acknowledgement = guard;
    return s;
  }
  Results drained() {
    while (!fabric.quiet() && fabric.cycles() < 20000) step();
    EXPECT_TRUE(fabric.quiet());
    bench.run(40);
    return results();
  }
  Results results() {
    statistics.finish(fabric.cycles());
    Results r;
    statistics.fill(r);
    fill_from_fabric(fabric, r);
    fill_from_recovery(fabric, statistics.delivered_flits(), r);
    return r;
  }
  static std::uint64_t pulses(const Results& r, ControlLine line) {
    return r.recovery.control_lines.pulses[static_cast<unsigned>(line)];
  }
  RunStatistics statistics;
};

class RecoveryCostsOfTails : public testing::TestWithParam<const char*> {};

TEST_P(RecoveryCostsOfTails, AreTwoSignalsPerHopAndNoFurtherFlits) {
  CostLine line(GetParam());
  for (int i = 0; i < 3; ++i) line.send(12);
  const Results r = line.drained();
  EXPECT_EQ(line.fates.delivered, 3u);
  EXPECT_EQ(r.recovery.extra_flits, 0u);
  EXPECT_EQ(r.recovery.control_flits, 0u);
  // The last router gets TAILGONE from its interface, and tail_received from nobody.
  EXPECT_EQ(CostLine::pulses(r, ControlLine::tail_received), 3 * kHops);
  EXPECT_EQ(CostLine::pulses(r, ControlLine::tail_gone), 3 * (kHops + 1));
  EXPECT_EQ(CostLine::pulses(r, ControlLine::resynchronise), 0u);
  EXPECT_EQ(r.latency.recovery.count, 0u);
}

INSTANTIATE_TEST_SUITE_P(Sbrp, RecoveryCostsOfTails, testing::Values("sbrp-0", "sbrp-1"));

TEST(RecoveryCosts, EndToEndAcknowledgesEveryMessage) {
  CostLine line("end-to-end");
  for (int i = 0; i < 5; ++i) line.send(12);
  const Results r = line.drained();
  EXPECT_EQ(line.fates.delivered, 5u);
  EXPECT_EQ(r.recovery.control_messages, 5u);
  EXPECT_EQ(r.recovery.extra_flits, 5u * 3);
}

TEST(RecoveryCosts, Sbrp0SendsTheWholeMessageAgain) {
  CostLine line("sbrp-0");
  line.send(12);
  line.fail(2, 26);  // some flits are in router 3, some in routers 1 and 2
  const Results r = line.drained();
  EXPECT_EQ(line.fates.kinds(), "hd");
  // The first packet with the broken tail that router 3 appends, request and answer, the message.
  EXPECT_EQ(r.recovery.extra_flits, 12u + 1 + 2 * 4);
  EXPECT_EQ(r.recovery.retransmitted_flits, 12u);
  // The channels into and out of router 2, each for every virtual channel.
  EXPECT_EQ(CostLine::pulses(r, ControlLine::resynchronise), 4 * kVcs);
  EXPECT_EQ(r.latency.recovery.count, 1u);
  const Cycle time = line.fates.delivered_at - line.fates.seen.front().second;
  EXPECT_EQ(r.latency.recovery.mean, static_cast<double>(time));
  EXPECT_EQ(r.latency.recovery.p95, time);
  EXPECT_EQ(r.latency.recovery.max, time);
  EXPECT_EQ(line.fates.seen.front().second, 26u);
}

TEST(RecoveryCosts, PadIsHighWithEachPadOnEachLink) {
  CostLine line("fcr");
  for (int i = 0; i < 3; ++i) line.send(12);
  const Results r = line.drained();
  EXPECT_EQ(line.fates.delivered, 3u);
  // The tail of a padded message is not a pad.
  EXPECT_GT(r.recovery.extra_flits, 0u);
  EXPECT_EQ(CostLine::pulses(r, ControlLine::pad), r.recovery.extra_flits * kHops);
  EXPECT_EQ(CostLine::pulses(r, ControlLine::forward_kill), 0u);
}

TEST(RecoveryCosts, FaultsAtTheEndOfTheLineAreOfOneLink) {
  CostLine line("none");
  line.fail(4, 26);
  const Results r = line.drained();
  EXPECT_EQ(CostLine::pulses(r, ControlLine::resynchronise), 2 * kVcs);
  EXPECT_EQ(r.recovery.mean_sender_bytes, 0.0);
}

/// Cycles for which one message of 12 flits, created in cycle 100, is kept.
std::pair<double, double> kept_and_assumed(CostLine& line, const Results& r) {
  EXPECT_EQ(line.fates.delivered, 1u);
  EXPECT_EQ(r.recovery.peak_sender_bytes, 12u * 8);
  EXPECT_EQ(r.recovery.assumed_peak_sender_bytes, 12u * 8);
  const double cycles = static_cast<double>(line.fabric.cycles() * 5) / (12 * 8);
  return {*r.recovery.mean_sender_bytes * cycles, *r.recovery.assumed_mean_sender_bytes * cycles};
}

// Of P flits over 4 hops: 4 cycles in each of 5 routers, 4 links, 3 cycles at the ends, P − 1 more flits.
constexpr Cycle one_way(std::uint32_t flits) {
  return 4 * 5 + 4 + 3 + flits - 1;
}

struct GuardCase {
  const char* protocol;
  const char* guard;
};
class SenderMemoryOf : public testing::TestWithParam<GuardCase> {};

TEST_P(SenderMemoryOf, AnAssumedReplyIsThatOfARealAcknowledgement) {
  const auto [name, guard] = GetParam();
  const bool fcr = std::string(name) == "fcr";
  CostLine line(name, guard);
  line.to(99);
  line.send(12);
  const auto [kept, assumed] = kept_and_assumed(line, line.drained());
  const Cycle delivered = line.fates.delivered_at;
  EXPECT_TRUE(std::string(name) == "utp" || delivered == 100 + one_way(12)) << delivered;
  // The acknowledgement is sent in the next cycle, and the copy is dropped at the end of that in which it
  // arrives.
  EXPECT_DOUBLE_EQ(kept, static_cast<double>(delivered + 1 + one_way(4) + 1 - 100));
  const bool real = std::string(guard) == "real";
  const Cycle dropped = delivered + 1;
  if (real || !fcr) {  // the tail of FCR leaves later
    EXPECT_DOUBLE_EQ(assumed, real ? kept : static_cast<double>(dropped - 100));
  }
}

INSTANTIATE_TEST_SUITE_P(Guards, SenderMemoryOf,
                         testing::Values(GuardCase{"sbrp-0", "assumed"}, GuardCase{"sbrp-1", "assumed"},
                                         GuardCase{"sbrp-2", "assumed"}, GuardCase{"utp", "assumed"},
                                         GuardCase{"fcr", "assumed"}, GuardCase{"sbrp-0", "real"},
                                         GuardCase{"sbrp-1", "real"}, GuardCase{"sbrp-2", "real"},
                                         GuardCase{"utp", "real"}, GuardCase{"fcr", "real"}));

class WithoutAGuard : public testing::TestWithParam<const char*> {};

TEST_P(WithoutAGuard, ASenderKeepsAMessageForTheLongestWait) {
  CostLine line(GetParam(), "off");
  line.to(99);
  line.send(12);
  // With utp the tail waits at the source for slots that copies take. On its way it is then faster than a
  // head.
  const auto tail_leaves = [&] {
    const Flit* const flit = line.fabric.network_interface(0).injector.sent_flit();
    return flit && is_tail(flit->kind);
  };
  while (!tail_leaves()) line.step();
  const Cycle tail_left = line.fabric.cycles() - 1;
  EXPECT_EQ(tail_left, std::string(GetParam()) == "utp" ? 116u : 111u);
  line.drained();
  EXPECT_EQ(line.fabric.context().copies_of_delivered, 1u) << "the run may end, but the copy is kept";
  const Cycle end = tail_left + ((4000 + 4 * 12) << 4);
  line.to(end - 1);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 1u);
  line.to(end);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
  EXPECT_EQ(line.fabric.context().copies_of_delivered, 0u);
  EXPECT_TRUE(line.fabric.quiet());
  const auto [kept, assumed] = kept_and_assumed(line, line.results());
  EXPECT_DOUBLE_EQ(kept, static_cast<double>(end + 1 - 100));
  EXPECT_DOUBLE_EQ(assumed, kept);
}

INSTANTIATE_TEST_SUITE_P(Askers, WithoutAGuard, testing::Values("sbrp-0", "sbrp-1", "sbrp-2", "utp"));

class ByItself : public testing::TestWithParam<const char*> {};

// APCS knows by its circuit that a message has arrived, and FCR when the tail leaves.
TEST_P(ByItself, AProtocolThatKnowsOfTheDeliveryDropsTheCopy) {
  CostLine line(GetParam(), "off");
  line.to(99);
  line.send(12);
  const auto [kept, assumed] = kept_and_assumed(line, line.drained());
  EXPECT_DOUBLE_EQ(kept, assumed);
  EXPECT_LT(kept, 100.0);
  EXPECT_EQ(line.fabric.context().messages.in_use(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Knowing, ByItself, testing::Values("apcs", "fcr"));

TEST(ByteSeries, BytesMayBeKeptUntilALaterCycle) {
  ByteSeries series;
  series.add(10, 5);
  series.add(10, 3);
  series.remove_at(40, 5);
  series.remove_at(20, 3);
  series.add(30, 1);
  series.advance(50);
  EXPECT_EQ(series.sum(), 5u * 30 + 3 * 10 + 1 * 20);
  EXPECT_EQ(series.mean(20), 5.0);
  EXPECT_EQ(series.mean(39), 6.0);
  EXPECT_EQ(series.mean(40), 1.0);
  series.remove_at(60, 1);
  series.advance(55);
  EXPECT_EQ(series.sum(), 200u + 5) << "the rest comes later";
}

TEST(ByteSeries, SlicesGrowWithTheRun) {
  ByteSeries series;
  series.add(100, 10);
  series.remove(300, 10);
  EXPECT_EQ(series.slice_cycles(), 4u);
  series.add(1000, 7);
  series.advance(1003);
  EXPECT_EQ(series.sum(), 10u * 200 + 7 * 3);
  ASSERT_EQ(series.slice_cycles(), 8u);
  ASSERT_EQ(series.slices(), 126u);
  EXPECT_EQ(series.mean(11), 0.0);
  EXPECT_EQ(series.mean(12), 10 * 4 / 8.0) << "cycles 96 to 103";
  EXPECT_EQ(series.mean(36), 10.0);
  EXPECT_EQ(series.mean(37), 10 * 4 / 8.0);
  EXPECT_EQ(series.mean(125), 7.0) << "three cycles so far";
}

TEST(RecoveryCosts, WhatIsKeptAtTheEndCounts) {
  CostLine line("sbrp-2");
  line.to(9);
  line.send(12);
  line.to(19);  // on its way
  Results r;
  fill_from_fabric(line.fabric, r);
  fill_from_recovery(line.fabric, 0, r);
  EXPECT_EQ(r.recovery.mean_sender_bytes, 12.0 * 8 * 10 / (20 * 5));
  ASSERT_EQ(r.recovery.kept_bytes.slices(), 20u);
  EXPECT_EQ(r.recovery.kept_bytes.mean(9), 0.0);
  EXPECT_EQ(r.recovery.kept_bytes.mean(10), 12.0 * 8);
  EXPECT_EQ(r.recovery.kept_bytes.mean(19), 12.0 * 8);
  EXPECT_EQ(r.recovery.extra_flits, 0u) << "what is still in the network is not extra";
}

}  // namespace
}  // namespace flitmend
