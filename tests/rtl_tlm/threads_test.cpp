// SPDX-License-Identifier: Apache-2.0
// What lets several threads evaluate the routers of a fabric. That no result depends on them is in
// evaluation_order_test, property/random_fabrics_test and program/threads_test.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <thread>

#include "rtl_tlm/fabric/cut_registers.h"
#include "rtl_tlm/fabric/thread_trial.h"
#include "support/fabric_bench.h"

namespace flitmend {
namespace {

TEST(CutRegisters, DeliverEveryBitToItsSlot) {
  constexpr unsigned kRing = 8;
  std::vector<Word> far_wake(kRing), far_flits(kRing), far_copied(kRing);
  CutRegisters cut(kRing);
  struct End {
    Word* wake;
    std::uint8_t bit;
    Word *flits, *copied;
  };
  std::vector<End> ends(100, {far_wake.data(), 5, far_flits.data(), far_copied.data()});
  for (End& end : ends) cut.redirect(end.wake, end.bit, std::array{&end.flits, &end.copied});
  const auto send = [](End& end, unsigned slot, Word flits, Word copied) {
    end.flits[slot] |= flits;
    end.copied[slot] |= copied;
    end.wake[slot] |= Word{1} << end.bit;
  };
  send(ends[0], 3, 0b0001, 0);
  send(ends[99], 3, 0b0100, 0b1);
  send(ends[64], 7, 0b1000, 0);
  EXPECT_EQ(far_wake, std::vector<Word>(kRing)) << "before the delivery";
  cut.deliver();
  EXPECT_EQ(far_wake, (std::vector<Word>{0, 0, 0, 0b100000, 0, 0, 0, 0b100000}));
  EXPECT_EQ(far_flits, (std::vector<Word>{0, 0, 0, 0b0101, 0, 0, 0, 0b1000}));
  EXPECT_EQ(far_copied, (std::vector<Word>{0, 0, 0, 0b1, 0, 0, 0, 0}));
  std::fill(far_wake.begin(), far_wake.end(), 0);
  cut.deliver();
  EXPECT_EQ(far_wake, std::vector<Word>(kRing)) << "nothing is delivered twice";
}

/// Runs a whole trial; `serial`, `threaded`: seconds per cycle of 100 routers. Returns the threaded cycles.
unsigned run_trial(ThreadTrial& trial, double serial, double threaded) {
  unsigned cycles = 0;
  for (unsigned i = 0; i < ThreadTrial::kTurn * ThreadTrial::kTurns; ++i) {
    const bool threads = trial.begin(100);
    cycles += threads;
    trial.end(threads ? threaded : serial);
  }
  return cycles;
}

TEST(ThreadTrial, ChoosesTheFasterWay) {
  ThreadTrial faster, slower;
  EXPECT_EQ(run_trial(faster, 10e-6, 8e-6), ThreadTrial::kTurn * ThreadTrial::kTurns / 2);
  EXPECT_TRUE(faster.pays());
  EXPECT_TRUE(faster.begin(100));
  run_trial(slower, 10e-6, 11e-6);
  EXPECT_FALSE(slower.pays());
  EXPECT_FALSE(slower.begin(100));
}

TEST(ThreadTrial, AbandonsHopelessThreadsAtOnce) {
  ThreadTrial trial;
  EXPECT_EQ(run_trial(trial, 10e-6, 20e-3), 1u) << "they wait for processors";
  EXPECT_FALSE(trial.pays());
}

TEST(ThreadTrial, IsRepeated) {
  ThreadTrial trial;
  run_trial(trial, 10e-6, 12e-6);
  for (unsigned i = 0; i < 10000; ++i) {
    const bool threads = trial.begin(100);
    trial.end(threads ? 5e-6 : 10e-6);  // the load has grown
  }
  EXPECT_TRUE(trial.pays());
}

class FabricThreads : public testing::TestWithParam<unsigned> {};

/// Asks in every call of an observer on which thread it is.
struct WhoCalls : MessageObserver {
  std::set<std::thread::id> threads;
  void message_injected(MessageIndex, const Message&, Cycle) override {
    threads.insert(std::this_thread::get_id());
  }
  void message_delivered(MessageIndex, const Message&, NodeId, Cycle) override {
    threads.insert(std::this_thread::get_id());
  }
};

TEST_P(FabricThreads, ObserversAreCalledOnTheThreadOfTheKernel) {
  FabricBench bench(mesh_network({8, 8}), preset("kary-ncube"));  // unlimited ejection: routers deliver
  WhoCalls who;
  bench.fabric.add_observer(static_cast<MessageObserver&>(who));
  ASSERT_TRUE(bench.fabric.set_threads({GetParam()}));
  RandomStream random(5, RandomPurpose::test, 0);
  for (int t = 0; t < 100; ++t) {
    for (int i = 0; i < 20; ++i) bench.fabric.network_interface(random.below(64)).send(random.below(64), 5);
    bench.run(1);
  }
  EXPECT_TRUE(bench.drain(20000));
  EXPECT_EQ(bench.deliveries.size(), 2000u);
  EXPECT_GT(bench.fabric.threaded_cycles(), 50u);
  EXPECT_EQ(who.threads, std::set{std::this_thread::get_id()});
}

INSTANTIATE_TEST_SUITE_P(Some, FabricThreads, testing::Values(2u, 3u, 16u));

TEST(ThreadsOfAFabric, AreNoMoreThanItsRouters) {
  FabricBench bench(mesh_network({2, 1}), preset("iq"));
  ASSERT_TRUE(bench.fabric.set_threads({16}));
  for (int i = 0; i < 10; ++i) bench.fabric.network_interface(i % 2).send((i + 1) % 2, 3);
  EXPECT_TRUE(bench.drain(1000));
  EXPECT_EQ(bench.deliveries.size(), 10u);
}

TEST(ThreadsOfAFabric, AreRefusedWhereRoutersShareTooMuch) {
  HardwareSettings circuits = preset("iq");
  circuits.router.switching = "pipelined-circuit";
  EXPECT_FALSE(FabricBench(mesh_network({4, 4}), circuits, {}, "circuits").fabric.set_threads({2}));
  EXPECT_TRUE(FabricBench(mesh_network({4, 4}), preset("iq"), {}, "wormhole").fabric.set_threads({2}));
}

}  // namespace
}  // namespace flitmend
