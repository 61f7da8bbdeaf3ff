// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "base/random_stream.h"
#include "testbench/scoreboard/scoreboard.h"

namespace flitmend {
namespace {

constexpr NodeId kMeshNodes = 64;

/// A network that delivers messages in any order, sometimes twice, late, or never, and counts what it did
/// wrong.
class UnreliableNetwork {
 public:
  UnreliableNetwork(Scoreboard& scoreboard, std::uint32_t seed, bool faulty)
      : scoreboard_(scoreboard), random_(seed, RandomPurpose::test), faulty_(faulty) {}

  void step(Cycle now) {
    if (random_.below(2)) create(now);
    if (!under_way_.empty() && random_.below(2)) deliver(now);
    if (faulty_ && !finished_.empty() && random_.below(500) == 0) repeat(now);
  }
  void drain(Cycle now) {
    while (!under_way_.empty()) deliver(now);
  }
  std::uint64_t created = 0, duplicated = 0, dropped = 0;

 private:
  void create(Cycle now) {
    Message m;
    m.created = now;
    m.source = random_.below(kMeshNodes);
    m.destination = random_.below(kMeshNodes);
    m.id = next_id_[m.source]++;
    const MessageIndex index = pool_.allocate();
    pool_[index] = m;
    scoreboard_.message_created(index, m);
    under_way_.push_back(index);
    ++created;
  }
  void deliver(Cycle now) {
    const auto i = random_.below(static_cast<std::uint32_t>(under_way_.size()));
    const MessageIndex index = under_way_[i];
    under_way_[i] = under_way_.back();
    under_way_.pop_back();
    if (faulty_ && random_.below(500) == 0) {
      ++dropped;  // together with its descriptor
      return;
    }
    scoreboard_.message_delivered(index, pool_[index], pool_[index].destination, now);
    if (faulty_) finished_.emplace_back(index, pool_[index]);
    pool_.release(index);
  }
  void repeat(Cycle now) {
    const auto& [index, m] = finished_[random_.below(static_cast<std::uint32_t>(finished_.size()))];
    scoreboard_.message_delivered(index, m, m.destination, now);
    ++duplicated;
  }

  Scoreboard& scoreboard_;
  RandomStream random_;
  bool faulty_;
  MessagePool pool_;
  std::vector<std::uint32_t> next_id_ = std::vector<std::uint32_t>(kMeshNodes);
  std::vector<MessageIndex> under_way_;
  std::vector<std::pair<MessageIndex, Message>> finished_;
};

}  // namespace

TEST(ScoreboardProperty, CountsEveryDuplicateAndEveryLossOfRandomNetworks) {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Scoreboard s(kMeshNodes, {});
    UnreliableNetwork network(s, seed, true);
    for (Cycle c = 0; c < 20000; ++c) network.step(c);
    network.drain(20000);
    s.finish(20001, true);
    const MessageResults& m = s.messages();
    EXPECT_EQ(m.generated, network.created);
    EXPECT_EQ(m.duplicated, network.duplicated);
    EXPECT_EQ(m.lost, network.dropped);
    EXPECT_EQ(m.generated, m.delivered + m.lost);
    EXPECT_EQ(s.violations(), network.duplicated + network.dropped);
  }
}

TEST(ScoreboardProperty, AReliableNetworkIsClean) {
  Scoreboard s(kMeshNodes, {});
  UnreliableNetwork network(s, 99, false);
  for (Cycle c = 0; c < 200000; ++c) network.step(c);
  network.drain(200000);
  s.finish(200001, true);
  EXPECT_EQ(s.violations(), 0u);
  EXPECT_EQ(s.messages().delivered, network.created);
}

}  // namespace flitmend
