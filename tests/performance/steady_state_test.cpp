// SPDX-License-Identifier: Apache-2.0
// Nothing allocates heap memory between warm-up and drain: not the fabric, the traffic elements, the TLM-2.0
// sockets, scoreboard, statistics, the watchdog or SystemC's kernel. Pools and queues grow to the largest
// size needed so far and keep it, so a record number of messages in the network allocates, however late. The
// warm-up is therefore long compared with the measured window. Both are the same in every run, because the
// seed is.
#include <gtest/gtest.h>

#include <atomic>

#include "base/random_stream.h"
#include "support/allocation_counter.h"
#include "support/files.h"
#include "testbench/configuration/loader.h"
#include "testbench/simulation.h"
#include "traces/netrace/writer.h"

namespace flitmend {
namespace {

/// Counts allocations between two cycles. `show`: print their stacks to standard error.
class AllocationWindow final : public ProgressSink {
 public:
  AllocationWindow(Cycle begin, Cycle end) : begin_(begin), end_(end) {}

  void update(const Progress& progress) override {
    if (progress.cycle >= begin_ && !begun_) {
      begun_ = true;
      before_ = allocations();
      show_next_allocations(3);
    }
    if (progress.cycle >= end_ && !ended_) {
      show_next_allocations(0);
      ended_ = true;
      after_ = allocations();
      in_flight_ = progress.in_flight;
    }
  }
  bool seen() const { return begun_ && ended_; }
  std::uint64_t allocated() const { return after_ - before_; }
  /// Messages in the network at the end of the window.
  std::uint64_t in_flight() const { return in_flight_; }

 private:
  Cycle begin_, end_;
  bool begun_ = false, ended_ = false;
  std::uint64_t before_ = 0, after_ = 0, in_flight_ = 0;
};

void expect_no_allocation(const std::string& configuration, Cycle begin, Cycle end,
                          const std::string& trace = {}) {
  Configuration c = parse_configuration(configuration, "test", {});
  c.traffic.options.set("trace", trace);
  Simulation simulation(c);
  AllocationWindow window(begin, end);
  const std::atomic<bool> stop{false};
  const Outcome outcome = simulation.run(&window, stop);
  EXPECT_EQ(outcome.status, ExitStatus::done) << outcome.why;
  ASSERT_TRUE(window.seen());
  EXPECT_GT(window.in_flight(), 0u);
  EXPECT_EQ(window.allocated(), 0u);
}

constexpr const char* kMesh = R"(
network: {topology: mesh, size: [8, 8]}
traffic: {pattern: uniform, load: 0.2, message_length: 5}
simulation: {warmup: 60000, measure: 10000, seed: 1}
)";

TEST(SteadyState, SyntheticTrafficThroughOneCycleRoutersAllocatesNothing) {
  expect_no_allocation(std::string(kMesh) +
                           "router: {preset: iq, pipeline: {routing: 0, vc_allocation: 0, switch_allocation: "
                           "0, switch_traversal: 0}}",
                       60000, 70000);
}

TEST(SteadyState, SyntheticTrafficThroughFourStageRoutersAllocatesNothing) {
  expect_no_allocation(kMesh, 60000, 70000);
}

/// One packet per cycle, requests and data in turn, from and to random nodes of 64; on average every packet
/// waits for one earlier packet. It starts with a burst of two per cycle, so that the pools grow to the size
/// that the rest needs.
void write_trace(const std::string& path, std::uint32_t packets) {
  constexpr std::uint8_t kReadRequest = 1, kReadResponse = 2;
  RandomStream random(1, RandomPurpose::test, 0);
  NetraceWriter writer(path, 64, "steady");
  constexpr std::uint32_t kRush = 8000;
  const auto cycle_of = [](std::uint32_t id) { return id < kRush ? id / 2 : id - kRush / 2; };
  for (std::uint32_t id = 0; id < packets; ++id) {
    NetracePacket p{.cycle = cycle_of(id),
                    .id = id,
                    .address = random.below(1 << 20),
                    .type = id % 2 ? kReadResponse : kReadRequest,
                    .source = static_cast<std::uint8_t>(random.below(64)),
                    .destination = static_cast<std::uint8_t>(random.below(64))};
    for (unsigned i = random.below(3), later = id; i > 0; --i) {
      later += 1 + random.below(200);
      if (later < packets) p.dependants.push_back(later);
    }
    writer.write(p);
  }
  writer.end_region(cycle_of(packets));
  writer.close();
}

TEST(SteadyState, ReplayOfATraceAllocatesNothing) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "steady.tra.bz2";
  write_trace(path, 60000);
  expect_no_allocation("network: {topology: mesh, size: [8, 8]}", 20000, 50000, path);
}

}  // namespace
}  // namespace flitmend
