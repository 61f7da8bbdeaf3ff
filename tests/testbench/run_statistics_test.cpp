// SPDX-License-Identifier: Apache-2.0
#include "testbench/statistics/run_statistics.h"

#include <gtest/gtest.h>

#include "topologies/hypercube.h"
#include "topologies/mesh.h"

namespace flitmend {
namespace {

Message message(Cycle created, Cycle injected, std::uint32_t length, std::uint16_t hops = 3) {
  Message m;
  m.created = created;
  m.injected = injected;
  m.length = length;
  m.hops = hops;
  return m;
}

void pass(RunStatistics& s, const Message& m, Cycle delivered) {
  s.message_created(0, m);
  s.message_delivered(0, m, m.destination, delivered);
}

Results filled(const RunStatistics& s) {
  Results r;
  s.fill(r);
  return r;
}

}  // namespace

TEST(RunStatistics, LatencyCountsFromCreationAndFromInjection) {
  RunStatistics s(Mesh({8, 8}), {0, 1000});
  pass(s, message(10, 12, 5, 4), 40);
  pass(s, message(20, 21, 5, 5), 70);
  s.finish(1000);
  const Results r = filled(s);
  EXPECT_EQ(r.latency.total.count, 2u);
  EXPECT_EQ(r.latency.total.mean, 40.0);
  EXPECT_EQ(r.latency.total.p50, 30u);
  EXPECT_EQ(r.latency.total.max, 50u);
  EXPECT_EQ(r.latency.network.mean, 38.5);
  EXPECT_EQ(r.hops.mean, 4.5);
  EXPECT_EQ(r.latency.total.histogram, std::nullopt);
}

TEST(RunStatistics, RecoveryCountsFromTheFault) {
  RunStatistics s(Mesh({8, 8}), {100, 200});
  const auto hit = [&](MessageIndex index, Cycle created, Cycle fault, Cycle delivered) {
    Message m = message(created, created, 5);
    s.message_created(index, m);
    m.hit = true;
    s.message_hit(index, m, fault);
    s.message_delivered(index, m, m.destination, delivered);
  };
  hit(0, 110, 120, 180);
  hit(9000, 110, 130, 150);
  hit(0, 150, 160, 260);               // with the descriptor of the first
  hit(1, 99, 120, 400);                // created too early
  pass(s, message(110, 110, 5), 500);  // not hit
  s.finish(1000);
  const Results r = filled(s);
  EXPECT_EQ(r.latency.recovery.count, 3u);
  EXPECT_EQ(r.latency.recovery.mean, (60 + 20 + 100) / 3.0);
  EXPECT_EQ(r.latency.recovery.p95, 100u);
  EXPECT_EQ(r.latency.recovery.max, 100u);
  EXPECT_EQ(r.latency.corrupted.max, 110u);
}

TEST(RunStatistics, OnlyMessagesCreatedInTheWindowHaveLatencies) {
  RunStatistics s(Mesh({8, 8}), {100, 200});
  pass(s, message(99, 99, 5), 150);    // created too early
  pass(s, message(100, 100, 5), 150);  // the window's first cycle
  pass(s, message(199, 199, 5), 900);  // its last, delivered in the drain
  pass(s, message(200, 200, 5), 250);  // too late
  s.finish(1000);
  const Results r = filled(s);
  EXPECT_EQ(r.latency.total.count, 2u);
  EXPECT_EQ(r.latency.total.max, 701u);
  EXPECT_EQ(r.simulation.cycles, 1000u);
  EXPECT_EQ(r.simulation.measured_cycles, 100u);
}

TEST(RunStatistics, OfferedCountsMessagesHeldBack) {
  RunStatistics s(Mesh({8, 8}), {100, 200});
  for (const Cycle created : {99u, 100u, 199u, 200u}) s.message_held_back(message(created, created, 32));
  s.finish(200);
  const Results r = filled(s);
  EXPECT_EQ(r.traffic.offered, 2 * 32 / 6400.0);
  EXPECT_EQ(r.traffic.accepted, 0.0);
  EXPECT_FALSE(r.simulation.last_delivery);
}

TEST(RunStatistics, OfferedCountsCreationsAndAcceptedDeliveriesInTheWindow) {
  RunStatistics s(Mesh({8, 8}), {100, 200});
  pass(s, message(90, 90, 7), 99);             // neither
  pass(s, message(99, 99, 64), 100);           // accepted only
  pass(s, message(100, 100, 128), 199);        // both
  pass(s, message(150, 150, 256), 200);        // offered only
  s.message_created(0, message(199, 0, 640));  // never delivered
  pass(s, message(200, 200, 7), 300);          // neither
  s.finish(500);
  const Results r = filled(s);
  EXPECT_EQ(r.traffic.offered, (128 + 256 + 640) / 6400.0);
  EXPECT_EQ(r.traffic.accepted, (64 + 128) / 6400.0);
}

TEST(RunStatistics, NormalisedByTwoBOverN) {
  // 2 flits per node per cycle on a hypercube, 4/7 on the 7x7 mesh.
  RunStatistics cube(Hypercube(6), {0, 100}), mesh(Mesh({7, 7}), {0, 100});
  for (RunStatistics* s : {&cube, &mesh}) {
    pass(*s, message(0, 0, 4900), 50);
    s->finish(100);
  }
  EXPECT_DOUBLE_EQ(filled(cube).traffic.normalised_accepted.value(), 4900.0 / 6400 / 2);
  EXPECT_DOUBLE_EQ(filled(mesh).traffic.normalised_accepted.value(), 1.0 / (4.0 / 7));
}

TEST(RunStatistics, DeadProcessingElementsDoNotCountWhileDead) {
  const Mesh topology({2, 2});
  RunStatistics s(topology, {100, 200});
  s.set_processing_elements(3, 50);   // before the window: 3 from its start
  s.set_processing_elements(2, 150);  // half of it with 2
  s.set_processing_elements(1, 400);  // after it
  pass(s, message(100, 100, 250), 120);
  s.finish(500);
  EXPECT_DOUBLE_EQ(filled(s).traffic.offered.value(), 250.0 / (3 * 50 + 2 * 50));
}

TEST(RunStatistics, ARunThatStopsEarlyIsMeasuredAsFarAsItWent) {
  RunStatistics s(Mesh({2, 2}), {100, 200});
  pass(s, message(100, 100, 80), 120);
  s.finish(140);
  const Results r = filled(s);
  EXPECT_EQ(r.simulation.measured_cycles, 40u);
  EXPECT_DOUBLE_EQ(r.traffic.offered.value(), 80.0 / 160);
}

TEST(RunStatistics, NothingMeasuredIsUndefinedNotZero) {
  RunStatistics s(Mesh({2, 2}), {100, 200});
  pass(s, message(10, 10, 5), 20);
  s.finish(50);
  const Results r = filled(s);
  EXPECT_EQ(r.simulation.measured_cycles, 0u);
  EXPECT_EQ(r.traffic.offered, std::nullopt);
  EXPECT_EQ(r.traffic.normalised_accepted, std::nullopt);
  EXPECT_EQ(r.hops.mean, std::nullopt);
  EXPECT_EQ(r.latency.total.mean, std::nullopt);
  EXPECT_EQ(r.latency.total.p99, std::nullopt);
  EXPECT_EQ(r.latency.total.ci95, std::nullopt);
}

TEST(RunStatistics, AnOpenWindowLastsToTheEndOfTheRun) {
  RunStatistics s(Mesh({2, 2}), {});
  pass(s, message(0, 0, 8), 20);
  pass(s, message(999999, 999999, 8), 1000000);
  s.finish(1000001);
  const Results r = filled(s);
  EXPECT_EQ(r.simulation.measured_cycles, 1000001u);
  EXPECT_EQ(r.latency.total.count, 2u);
  EXPECT_DOUBLE_EQ(r.traffic.accepted.value(), 16.0 / 4000004);
}

TEST(RunStatistics, EveryLatencyHasItsIntervalOrAReason) {
  RunStatistics s(Mesh({8, 8}), {1000, 11000});
  for (Cycle t = 0; t < 12000; ++t)
    pass(s, message(t, t + t % 7, 5), t + 40 + t % 13 + t / 500);  // slower and slower
  s.finish(12100);
  const Results r = filled(s);
  EXPECT_EQ(r.latency.total.ci95, std::nullopt);
  EXPECT_NE(r.latency.total.ci95_reason.find("latency rises"), std::string::npos)
      << r.latency.total.ci95_reason;
  EXPECT_NE(r.latency.network.ci95_reason.find("latency rises"), std::string::npos);

  RunStatistics empty(Mesh({8, 8}), {1000, 11000});
  empty.finish(12100);
  EXPECT_EQ(filled(empty).latency.total.ci95_reason, "there are no messages");

  RunStatistics steady(Mesh({8, 8}), {1000, 11000});
  for (Cycle t = 0; t < 12000; ++t) pass(steady, message(t, t + t % 7, 5), t + 40 + t % 13);
  steady.finish(12100);
  const Results of_steady = filled(steady);
  EXPECT_LT(of_steady.latency.total.ci95.value(), .2);
  EXPECT_LT(of_steady.latency.network.ci95.value(), .2);
  EXPECT_EQ(of_steady.latency.total.ci95_reason, "");
}

TEST(RunStatistics, HistogramOnRequest) {
  RunStatistics s(Mesh({2, 2}), {0, 100}, {.histogram = true});
  for (Cycle latency : {30, 20, 30}) pass(s, message(1, 1, 5), 1 + latency);
  s.finish(100);
  const Results r = filled(s);
  ASSERT_TRUE(r.latency.total.histogram);
  EXPECT_EQ(r.latency.total.histogram->cycles, (std::vector<std::uint64_t>{20, 30}));
  EXPECT_EQ(r.latency.total.histogram->messages, (std::vector<std::uint64_t>{1, 2}));
}

TEST(RunStatistics, OrderWithinACycleDoesNotMatter) {
  std::vector<Message> messages;
  for (std::uint32_t i = 0; i < 3000; ++i) messages.push_back(message(i / 3, i / 3 + i % 7, 5, i % 9));
  const auto run = [&](bool backward) {
    RunStatistics s(Mesh({8, 8}), {0, 900}, {.histogram = true});
    for (std::size_t i = 0; i < messages.size(); i += 3)
      for (std::size_t j = 0; j < 3; ++j) {
        const Message& m = messages[i + (backward ? 2 - j : j)];
        pass(s, m, m.injected + 20 + m.hops);
      }
    s.finish(1200);
    return to_json(filled(s));
  };
  EXPECT_EQ(run(false), run(true));
}

}  // namespace flitmend
