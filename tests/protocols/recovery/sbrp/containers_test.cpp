// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random_stream.h"
#include "protocols/recovery/finished_ids.h"
#include "protocols/recovery/kept_messages.h"
#include "protocols/recovery/reassembly.h"

namespace flitmend {
namespace {

TEST(Reassembly, TakesPiecesInAnyOrderAndCountsOnlyWhatIsNew) {
  Reassembly data(200);
  EXPECT_EQ(data.first_missing(), 0u);
  EXPECT_EQ(data.add(100, 100), 100u);
  EXPECT_EQ(data.first_missing(), 0u);
  EXPECT_EQ(data.add(0, 70), 70u);
  EXPECT_EQ(data.first_missing(), 70u);
  EXPECT_FALSE(data.complete());
  EXPECT_EQ(data.add(60, 60), 30u);
  EXPECT_TRUE(data.complete());
  EXPECT_EQ(data.add(0, 200), 0u);
  EXPECT_TRUE(data.complete());
}

TEST(Reassembly, AMessageWithoutDataIsComplete) {
  EXPECT_TRUE(Reassembly(0).complete());
  Reassembly word(64);
  EXPECT_EQ(word.add(0, 64), 64u);
  EXPECT_TRUE(word.complete());
}

TEST(Reassembly, AgreesWithASetOfFlits) {
  RandomStream random(1, RandomPurpose::test, 0);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t length = 1 + random.below(300);
    Reassembly data(length);
    std::set<std::uint32_t> arrived;
    while (arrived.size() < length) {
      const std::uint32_t first = random.below(length);
      const std::uint32_t count = random.below(length - first + 1);
      const std::size_t before = arrived.size();
      for (std::uint32_t i = 0; i < count; ++i) arrived.insert(first + i);
      EXPECT_EQ(data.add(first, count), arrived.size() - before);
      EXPECT_EQ(data.complete(), arrived.size() == length);
      if (data.complete()) break;
      std::uint32_t missing = 0;
      while (arrived.count(missing)) ++missing;
      EXPECT_EQ(data.first_missing(), missing);
    }
  }
}

TEST(FinishedIds, KnowWhatHasArrivedAndWhatTheSenderIsDoneWith) {
  FinishedIds ids;
  EXPECT_FALSE(ids.has(0));
  ids.add(3);
  ids.add(200);
  EXPECT_TRUE(ids.has(3));
  EXPECT_TRUE(ids.has(200));
  EXPECT_FALSE(ids.has(4));
  EXPECT_FALSE(ids.has(199));
  EXPECT_FALSE(ids.has(100000));
  ids.advance(100);
  EXPECT_TRUE(ids.has(99));
  EXPECT_FALSE(ids.has(100));
  EXPECT_TRUE(ids.has(200));
  ids.advance(50);
  EXPECT_TRUE(ids.has(99)) << "an older notice changes nothing";
}

TEST(FinishedIds, AgreeWithASet) {
  RandomStream random(2, RandomPurpose::test, 0);
  FinishedIds ids;
  std::set<std::uint32_t> known;
  std::uint32_t oldest = ~std::uint32_t{0} - 3000;  // ids wrap around
  ids.advance(0x7fffffff);
  ids.advance(oldest);
  for (int step = 0; step < 20000; ++step) {
    const std::uint32_t id = oldest + random.below(1 + random.below(700));
    EXPECT_EQ(ids.has(id), known.count(id) == 1) << step;
    ids.add(id);
    known.insert(id);
    if (random.below(3) == 0) {
      oldest += random.below(10);
      ids.advance(oldest);
      EXPECT_TRUE(ids.has(oldest - 1));
    }
  }
}

TEST(IdRing, KeepsConsecutiveIdsWhileItGrows) {
  RandomStream random(3, RandomPurpose::test, 0);
  IdRing<std::uint32_t> ring;
  std::uint32_t next = ~std::uint32_t{0} - 500;
  std::uint32_t first = next;
  for (int step = 0; step < 5000; ++step) {
    if (random.below(5) < 3) {
      ring.push(next, next * 7);
      ++next;
    } else if (!ring.empty()) {
      EXPECT_EQ(ring.front(), first * 7);
      ring.pop_front();
      ++first;
    }
    EXPECT_EQ(ring.size(), next - first);
    EXPECT_FALSE(ring.has(first - 1));
    EXPECT_FALSE(ring.has(next));
    if (!ring.empty()) {
      const std::uint32_t id = first + random.below(next - first);
      ASSERT_TRUE(ring.has(id));
      EXPECT_EQ(ring[id], id * 7);
    }
  }
}

}  // namespace
}  // namespace flitmend
