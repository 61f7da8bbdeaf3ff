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
  explicit CostLine(const char* name)
      : LineBench(recovery_protocols().at(name).make({}, {}), preset("iq")),
        statistics(bench.topology(), {0, kNever}) {
    fabric.add_observer(static_cast<MessageObserver&>(statistics));
  }
  Results drained() {
    while (!fabric.quiet() && fabric.cycles() < 20000) step();
    EXPECT_TRUE(fabric.quiet());
    bench.run(40);
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

TEST(RecoveryCosts, ASenderKeepsAMessageUntilItIsDelivered) {
  CostLine line("sbrp-2");  // with the assumed guard
  line.to(99);
  line.send(12);  // created in cycle 100
  const Results r = line.drained();
  EXPECT_EQ(r.recovery.peak_sender_bytes, 12u * 8);
  const Cycle kept = line.fates.delivered_at + 1 - 100;  // the copy is dropped at the end of that cycle
  EXPECT_EQ(r.recovery.mean_sender_bytes,
            static_cast<double>(12 * 8 * kept) / static_cast<double>(line.fabric.cycles() * 5));
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
