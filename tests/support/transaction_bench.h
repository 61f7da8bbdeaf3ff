// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "support/checked_bindings.h"
#include "support/fabric_bench.h"
#include "support/phased_memory.h"
#include "support/phased_player.h"

namespace flitmend {

struct TransactionBenchSettings {
  PlayerForms players;
  MemoryForms memories;
  unsigned transactions = 200;  ///< of each initiator
  HardwareSettings hardware;
  RoutingSettings routing;
  TransactionParameters parameters;
  unsigned message_classes = 2;  ///< requests and replies in virtual networks of their own
  std::uint64_t seed = 1;
};

/// 15 initiators and 8 targets on a 4x4 mesh, with a protocol checker at every socket. Every initiator has
/// 256 bytes of its own in each target.
class TransactionBench {
 public:
  static constexpr std::size_t kRange = 4096, kSlice = 256, kInitiators = 15, kTargets = 8;
  static constexpr NodeId node_of_target(std::size_t t) { return static_cast<NodeId>(2 * t + t / 2 % 2); }

  FabricBench fabric_bench;
  PayloadPool pool;
  std::vector<std::unique_ptr<PhasedPlayer>> players;
  std::vector<std::unique_ptr<PhasedMemory>> memories;
  CheckedBindings bindings{{.address_kept = true}};

  explicit TransactionBench(const TransactionBenchSettings& s)
      : fabric_bench(mesh_network({4, 4}), s.hardware, s.routing, "fabric", s.seed, nullptr, s.parameters,
                     s.message_classes) {
    Fabric& fabric = fabric_bench.fabric;
    for (std::size_t t = 0; t < kTargets; ++t) {
      memories.push_back(std::make_unique<PhasedMemory>(("memory_" + std::to_string(t)).c_str(), kRange,
                                                        s.memories, s.seed, static_cast<std::uint32_t>(t)));
      bindings.bind(fabric.sockets(node_of_target(t)).initiator_socket, memories[t]->socket);
    }
    for (std::size_t i = 0; i < kInitiators; ++i) {
      std::vector<std::uint64_t> slices;
      for (std::size_t t = 0; t < kTargets; ++t) slices.push_back(node_of_target(t) * kRange + i * kSlice);
      players.push_back(std::make_unique<PhasedPlayer>(("player_" + std::to_string(i)).c_str(), pool,
                                                       s.players, std::move(slices), kSlice, s.transactions,
                                                       s.seed, static_cast<std::uint32_t>(100 + i)));
      bindings.bind(players[i]->socket, fabric.sockets(static_cast<NodeId>(i)).target_socket);
    }
  }

  /// Runs until all transactions have ended and the network is quiet; false after `limit` cycles.
  bool run(Cycle limit) {
    const auto done = [](const auto& player) { return player->done(); };
    for (Cycle cycle = 0; cycle < limit; cycle += 1000) {
      fabric_bench.run(1000);
      if (std::all_of(players.begin(), players.end(), done)) return fabric_bench.drain(limit);
    }
    return false;
  }
  std::uint64_t sum(std::uint64_t (PhasedPlayer::*figure)() const) const {
    std::uint64_t total = 0;
    for (const auto& player : players) total += (player.get()->*figure)();
    return total;
  }
  /// Every transaction was answered once, in order, with the target's status and the bytes of the reference
  /// memories.
  void expect_right(unsigned transactions) const {
    EXPECT_EQ(sum(&PhasedPlayer::answered), kInitiators * transactions);
    EXPECT_EQ(sum(&PhasedPlayer::wrong_reads), 0u);
    EXPECT_EQ(sum(&PhasedPlayer::overtaken), 0u);
    std::uint64_t executed = 0, refused = 0;
    for (std::size_t t = 0; t < kTargets; ++t) {
      executed += memories[t]->executed();
      refused += memories[t]->refused();
      for (std::size_t i = 0; i < kInitiators; ++i)
        EXPECT_TRUE(std::equal(players[i]->reference(t).begin(), players[i]->reference(t).end(),
                               memories[t]->bytes().begin() + static_cast<std::ptrdiff_t>(i * kSlice)))
            << "initiator " << i << ", target " << t;
    }
    EXPECT_EQ(executed + refused, kInitiators * transactions);
    EXPECT_EQ(sum(&PhasedPlayer::failed), refused);
    EXPECT_EQ(bindings.underway(), 0u);
    EXPECT_EQ(pool.in_use(), 0u);
    EXPECT_TRUE(fabric_bench.fabric.check_conservation().idle());
  }
};

}  // namespace flitmend
