// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/allocation_counter.h"
#include "testbench/scoreboard/scoreboard.h"
#include "testbench/statistics/run_statistics.h"
#include "topologies/mesh.h"

namespace flitmend {

TEST(ObserverAllocation, TheCounterCounts) {
  const std::uint64_t before = allocations();
  ::operator delete(::operator new(4));  // the compiler may optimise away new and delete, but not these
  EXPECT_EQ(allocations(), before + 1);
}

TEST(ObserverAllocation, ScoreboardAndStatisticsAllocateNothingWhileTheyRun) {
  const Mesh topology({8, 8});
  RunStatistics statistics(topology, {0, kNever});
  Scoreboard scoreboard(topology.node_count(), {}, &statistics);
  MessageObserver& observer = scoreboard;
  const std::uint64_t before = allocations();
  for (std::uint32_t i = 0; i < 200000; ++i) {
    Message m;
    m.source = i % 64;
    m.destination = i % 61;
    m.id = i / 64;
    m.created = i;
    m.injected = i + 1;
    m.length = 5;
    const MessageIndex index = i % 4096;
    observer.message_created(index, m);
    observer.message_injected(index, m, i + 1);
    // Latencies of every size, from 32 cycles to beyond the exact part of the histogram.
    observer.message_delivered(index, m, m.destination, Cycle{i} + (Cycle{32} << i % 30));
  }
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(scoreboard.violations(), 0u);
}

}  // namespace flitmend
