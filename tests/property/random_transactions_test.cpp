// SPDX-License-Identifier: Apache-2.0
// Initiators and targets that use every form of the base protocol at random, with a reference memory.
#include <gtest/gtest.h>

#include "support/leak_check.h"
#include "support/transaction_bench.h"

namespace flitmend {
namespace {

/// Each initiator bound to a target of its own.
struct Pairs {
  static constexpr std::size_t kPairs = 8;
  PayloadPool pool;
  std::vector<std::unique_ptr<PhasedPlayer>> players;
  std::vector<std::unique_ptr<PhasedMemory>> memories;
  CheckedBindings bindings{{.address_kept = true}};

  Pairs(const PlayerForms& player, const MemoryForms& memory, unsigned transactions) {
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      memories.push_back(
          std::make_unique<PhasedMemory>(("memory_" + std::to_string(i)).c_str(), 256, memory, 7, i));
      players.push_back(std::make_unique<PhasedPlayer>(("player_" + std::to_string(i)).c_str(), pool, player,
                                                       std::vector<std::uint64_t>{0}, 256, transactions, 7,
                                                       100 + i));
      bindings.bind(players[i]->socket, memories[i]->socket);
    }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      const PhasedPlayer& p = *players[i];
      EXPECT_TRUE(p.done());
      EXPECT_EQ(p.answered(), transactions);
      EXPECT_EQ(p.wrong_reads() + p.overtaken(), 0u);
      EXPECT_EQ(p.failed(), memories[i]->refused());
      EXPECT_EQ(p.reference(0), memories[i]->bytes());
      EXPECT_EQ(memories[i]->executed() + memories[i]->refused(), transactions);
      refused += memories[i]->refused();
      most_waiting = std::max(most_waiting, memories[i]->most_waiting());
    }
    EXPECT_EQ(bindings.underway(), 0u);
    EXPECT_EQ(pool.in_use(), 0u);
  }
  std::size_t most_waiting = 0;
  std::uint64_t refused = 0;
};

// What the players and memories do is legal, and they detect no error where there is none.
TEST(RandomTransactions, EveryFormWithoutNetworkIsLegal) {
  skip_leak_check();
  PlayerForms player;
  player.longest_delay = 5;
  player.byte_enables = player.streaming = player.read_back = 0.3;
  MemoryForms memory;
  memory.longest_delay = 5;
  memory.errors = 0.1;
  const Pairs pairs(player, memory, 2000);
  EXPECT_GE(pairs.most_waiting, 3u);
  EXPECT_GT(pairs.refused, 100u);
}

// Today's network answers a write when its message has arrived, takes no byte enables and no annotated
// delays, and asks the next request of a target from within the answer to the last one.
TEST(RandomTransactions, InitiatorsAndTargetsOnAMesh) {
  skip_leak_check();
  TransactionBenchSettings s;
  s.players.one_per_target = true;
  s.players.response_ends = {ResponseEnd::completed, ResponseEnd::updated};
  s.memories.request_ends = {RequestEnd::end_req_return, RequestEnd::response_return, RequestEnd::completed};
  TransactionBench bench(s);
  ASSERT_TRUE(bench.run(2000000));
  bench.expect_right(s.transactions);
}

}  // namespace
}  // namespace flitmend
