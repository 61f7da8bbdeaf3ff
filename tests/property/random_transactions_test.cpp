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

struct MeshCase {
  unsigned vcs, message_classes;
  const char* routing;
  unsigned target_queue;
};
void PrintTo(const MeshCase& c, std::ostream* out) {
  *out << c.vcs << " VCs, " << c.message_classes << " classes, " << c.routing << ", queue " << c.target_queue;
}
class TransactionsOnAMesh : public testing::TestWithParam<MeshCase> {};

// Both transports, byte enables, streaming widths, errors, reads behind writes of the same bytes.
TEST_P(TransactionsOnAMesh, EveryFormWithTheBytesOfAReferenceMemory) {
  skip_leak_check();
  const MeshCase& c = GetParam();
  TransactionBenchSettings s;
  s.hardware.router.virtual_channels = c.vcs;
  if (std::string(c.routing) == "duato") s.hardware.router.vc_reallocation = "atomic";
  s.routing.algorithm = c.routing;
  s.message_classes = c.message_classes;
  s.parameters.target_queue = c.target_queue;
  s.players.outstanding = 8;
  s.memories.longest_delay = 5;
  s.players.byte_enables = s.players.streaming = s.players.read_back = 0.3;
  s.memories.errors = 0.1;
  TransactionBench bench(s);
  ASSERT_TRUE(bench.run(2000000)) << bench.bindings.underway();
  bench.expect_right(s.transactions);
}

INSTANTIATE_TEST_SUITE_P(Meshes, TransactionsOnAMesh,
                         testing::Values(MeshCase{1, 1, "dimension-order", 0},
                                         MeshCase{2, 2, "west-first", 4},
                                         MeshCase{4, 2, "dimension-order", 4}, MeshCase{4, 2, "duato", 1},
                                         MeshCase{8, 2, "duato", 0}));

}  // namespace
}  // namespace flitmend
