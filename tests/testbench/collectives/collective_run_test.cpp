// SPDX-License-Identifier: Apache-2.0
// The schedules of collectives, and the engine that goes through them, without a network: messages arrive
// after random times, out of order, twice, or not at all.
#include "testbench/collectives/collective_run.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "base/random_stream.h"

namespace flitmend {
namespace {

PlannedCollective plan(const CollectiveEntry& kind, std::uint32_t n, std::uint32_t root = 0) {
  PlannedCollective made;
  made.name = kind.name;
  made.kind = &kind;
  made.members.resize(n);
  std::iota(made.members.begin(), made.members.end(), NodeId{0});
  made.root = root;
  made.schedule = kind.schedule(n, root);
  return made;
}

/// How messages arrive.
struct Arrivals {
  std::uint32_t longest = 1;  ///< cycles
  bool twice = false;         ///< now and then, some time later
  std::function<bool(const MessageSchedule::Packet&)> lost = [](const auto&) { return false; };
  std::function<std::uint64_t(std::uint64_t, std::uint32_t handle)> damage = {};  ///< of the content
};

/// Runs it until nobody sends. Returns the messages sent.
std::uint64_t run_through(CollectiveRun& run, const Arrivals& arrivals, std::uint64_t seed = 1) {
  struct Arrival {
    MessageSchedule::Handle handle;
    std::uint64_t content;
    bool lost, again;
  };
  RandomStream random(seed, RandomPurpose::test);
  std::multimap<Cycle, Arrival> underway;
  std::uint64_t sent = 0;
  for (Cycle now = 0; !run.finished() || !underway.empty();) {
    while (const auto packet = run.pop(now)) {
      ++sent;
      const Cycle arrival = now + random.below(arrivals.longest);
      const std::uint64_t content =
          arrivals.damage ? arrivals.damage(packet->content, packet->handle) : packet->content;
      underway.insert({arrival, {packet->handle, content, arrivals.lost(*packet), false}});
      if (arrivals.twice && random.below(3) == 0)
        underway.insert({arrival + random.below(50), {packet->handle, content, false, true}});
    }
    for (auto [at, end] = underway.equal_range(now); at != end; at = underway.erase(at)) {
      const Arrival& arrival = at->second;
      if (!arrival.lost) run.received(arrival.handle, arrival.content, now);
      if (arrival.again) continue;
      if (arrival.lost)
        run.undeliverable(arrival.handle, now);
      else
        run.delivered(arrival.handle, now);
    }
    ++now;
    EXPECT_LT(now, 1'000'000u);
    if (now >= 1'000'000) break;
  }
  return sent;
}

std::string name_of_node(NodeId node) {
  return "n" + std::to_string(node);
}

TEST(CollectiveRuns, EndWithTheResultHoweverMessagesArrive) {
  for (const CollectiveEntry& kind : collectives().entries())
    for (std::uint32_t n = 1; n <= 17; ++n)
      for (const bool twice : {false, true}) {
        PlannedCollective one = plan(kind, n, kind.operation->has_root ? n / 2 : 0);
        one.repetitions = 3;
        one.combine_time = n % 3;
        const std::size_t messages = one.schedule.transfers.size();
        CollectiveRun run({one}, n, 7);
        EXPECT_EQ(run_through(run, {.longest = 40, .twice = twice}, n), 3 * messages)
            << kind.name << ' ' << n;
        EXPECT_EQ(run.counts(0).completed, 3u) << kind.name << ' ' << n;
        EXPECT_EQ(run.counts(0).wrong_slots, 0u) << kind.name << ' ' << n;
        EXPECT_EQ(run.missing(0, name_of_node), "");
      }
}

// The known numbers of messages, each with a part of the vector.
TEST(CollectiveRuns, SendAsManyMessagesAsTheirAlgorithmsSay) {
  const std::map<std::string, std::array<std::size_t, 3>> messages = {
      // n = 2, 8, 11
      {"ring all-reduce", {2 * 1 * 2, 2 * 7 * 8, 2 * 10 * 11}},
      {"recursive-doubling all-reduce", {2, 8 * 3, 8 * 3 + 2 * 3}},
      {"tree all-reduce", {2 * 1, 2 * 7, 2 * 10}},
      {"ring reduce-scatter", {2, 7 * 8, 10 * 11}},
      {"ring all-gather", {2, 7 * 8, 10 * 11}},
      {"pairwise all-to-all", {2, 7 * 8, 10 * 11}},
      {"direct all-to-all", {2, 7 * 8, 10 * 11}},
      {"tree broadcast", {1, 7, 10}}};
  ASSERT_EQ(messages.size(), collectives().entries().size());
  for (const auto& [name, expected] : messages)
    for (const std::size_t i : {0u, 1u, 2u})
      EXPECT_EQ(collectives().at(name).schedule(std::array{2u, 8u, 11u}[i], 0).transfers.size(), expected[i])
          << name;
}

// A number that is damaged, added twice or not added is found, whichever message carries it.
TEST(CollectiveRuns, FindEveryWrongNumber) {
  for (const CollectiveEntry& kind : collectives().entries())
    for (const std::uint32_t n : {2u, 5u, 8u}) {
      const PlannedCollective right = plan(kind, n);
      for (std::uint32_t i = 0; i < right.schedule.transfers.size(); ++i) {
        CollectiveRun damaged({right}, n, 3);
        run_through(damaged, {.damage = [&](std::uint64_t content, std::uint32_t handle) {
                      return content + (handle == i);
                    }});
        EXPECT_GT(damaged.counts(0).wrong_slots, 0u) << kind.name << " message " << i;
        EXPECT_FALSE(damaged.wrong().empty());

        PlannedCollective twice = right;
        twice.schedule.transfers.push_back(right.schedule.transfers[i]);
        PlannedCollective dropped = right;
        dropped.schedule.transfers.erase(dropped.schedule.transfers.begin() + i);
        std::vector<PlannedCollective> wrong = {dropped};
        if (right.schedule.transfers[i].combine) wrong.push_back(twice);  // what is stored twice is right
        for (const PlannedCollective& one : wrong) {
          CollectiveRun run({one}, n, 3);
          run_through(run, {});
          EXPECT_GT(run.counts(0).wrong_slots, 0u) << kind.name << " message " << i;
        }
      }
    }
}

TEST(CollectiveRuns, NameWhatIsMissingAfterALoss) {
  for (const CollectiveEntry& kind : collectives().entries())
    for (std::uint32_t lost = 0; lost < plan(kind, 6).schedule.transfers.size(); ++lost) {
      CollectiveRun run({plan(kind, 6)}, 6, 3);
      run_through(run, {.longest = 9, .lost = [&](const auto& packet) { return packet.handle == lost; }});
      EXPECT_EQ(run.counts(0).completed, 0u);
      EXPECT_EQ(run.counts(0).wrong_slots, 0u);
      EXPECT_EQ(run.failed(), 1u);
      const CollectiveTransfer transfer = plan(kind, 6).schedule.transfers[lost];
      const std::string missing = run.missing(0, name_of_node);
      const std::string cause = "repetition 0: " + name_of_node(transfer.to) + " waits for a message of " +
                                name_of_node(transfer.from) + ", which is lost";
      EXPECT_TRUE(missing.starts_with(cause)) << missing;
      if (kind.algorithm == "direct") {  // nobody else waits
        EXPECT_EQ(missing, cause);
      }
    }
}

TEST(CollectiveRuns, EndWithoutADeadMember) {
  for (const CollectiveEntry& kind : collectives().entries())
    for (const Cycle dies : {0, 5, 30}) {
      PlannedCollective one = plan(kind, 8);
      one.repetitions = 20;
      CollectiveRun run({one}, 8, 3);
      run.stop_node(3, dies);
      run_through(run, {.longest = 9, .lost = [](const auto& packet) { return packet.destination == 3; }});
      EXPECT_LT(run.counts(0).completed, 20u) << kind.name;
      const std::string missing = run.missing(0, name_of_node);
      EXPECT_FALSE(missing.empty()) << kind.name;
      EXPECT_NE(missing.find("n3 is dead"), missing.npos) << kind.name << ": " << missing;
    }
}

// A member with several groups takes its collectives in their order; the others do not wait for it.
TEST(CollectiveRuns, MembersGoOnByThemselves) {
  const CollectiveEntry& ring = collectives().at("ring all-reduce");
  PlannedCollective left = plan(ring, 4), right = plan(ring, 4), both = plan(ring, 8);
  right.members = {4, 5, 6, 7};
  left.start = 100;
  CollectiveRun run({left, right, both}, 8, 3);
  run_through(run, {});
  EXPECT_EQ(run.counts(0).begin, 100u);
  EXPECT_EQ(run.counts(1).begin, 0u);
  EXPECT_LT(run.counts(1).end, 100u);
  EXPECT_EQ(run.counts(2).begin, run.counts(1).end + 1);
  EXPECT_GT(run.counts(2).end, run.counts(0).end);
  for (const unsigned i : {0u, 1u, 2u}) EXPECT_EQ(run.counts(i).completed, 1u);
}

// Messages that wait for a member are combined one after the other.
TEST(CollectiveRuns, CombineOneAfterTheOther) {
  PlannedCollective one = plan(collectives().at("tree all-reduce"), 2);
  one.schedule = {.slots = 1,
                  .pieces = 1,
                  .transfers = {{.from = 1, .to = 0, .combine = true},
                                {.from = 2, .to = 0, .combine = true},
                                {.from = 0, .to = 1, .sent_in = 1, .received_in = 1},
                                {.from = 0, .to = 2, .sent_in = 1, .received_in = 1}}};
  one.members = {0, 1, 2};
  one.combine_time = 10;
  CollectiveRun run({one}, 3, 3);
  run_through(run, {});
  // Both arrive in cycle 0; the sum is there in cycle 20, is sent in 21 and arrives in 21.
  EXPECT_EQ(run.counts(0).end, 21u);
  EXPECT_EQ(run.counts(0).completed, 1u);
  EXPECT_EQ(run.counts(0).wrong_slots, 0u);
}

TEST(CollectiveRuns, OfOneMemberTakeNoTime) {
  for (const CollectiveEntry& kind : collectives().entries()) {
    CollectiveRun run({plan(kind, 1)}, 1, 3);
    EXPECT_TRUE(run.finished()) << kind.name;
    EXPECT_EQ(run.counts(0).completed, 1u) << kind.name;
    EXPECT_EQ(run.counts(0).time_sum, 0u) << kind.name;
  }
}

}  // namespace
}  // namespace flitmend
