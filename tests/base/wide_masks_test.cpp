// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <gtest/gtest.h>

#include <array>

#include "base/random_stream.h"

namespace flitmend {
namespace {

constexpr unsigned kWords = 3;

}  // namespace

TEST(WideMasks, SetsTheBitsOfARange) {
  RandomStream random(1, RandomPurpose::test);
  for (const unsigned words : {1u, kWords})
    for (int round = 0; round < 2000; ++round) {
      std::array<Word, kWords> mask;
      for (Word& w : mask) w = random.bits64();
      const unsigned bits = words * kWordBits, count = 1 + random.below(64),
                     first = random.below(bits - count + 1);
      const Word range = random.bits64() & low_bits(count);
      std::array<Word, kWords> set = mask;
      set_bits(set.data(), words, first, range);
      for (unsigned i = 0; i < bits; ++i)
        ASSERT_EQ(test_bit(set.data(), i),
                  test_bit(mask.data(), i) || (i >= first && i < first + count && (range >> (i - first) & 1)))
            << first << ' ' << count << ' ' << i;
    }
}

TEST(WideMasks, RoundRobinWithinARangeStartsAfterTheLastOne) {
  RandomStream random(3, RandomPurpose::test);
  for (const unsigned words : {1u, kWords})
    for (int round = 0; round < 2000; ++round) {
      std::array<Word, kWords> mask;
      for (Word& w : mask) w = random.bits64() & random.bits64();
      const unsigned bits = words * kWordBits, count = 1 + random.below(64),
                     first = random.below(bits - count + 1), last = first + random.below(count);
      set_bit(mask.data(), first + random.below(count));
      unsigned expected = last;
      do expected = expected + 1 == first + count ? first : expected + 1;
      while (!test_bit(mask.data(), expected));
      ASSERT_EQ(round_robin_within(mask.data(), words, first, low_bits(count), last), expected)
          << first << ' ' << count << ' ' << last;
    }
}

TEST(WideMasks, RoundRobinStartsAfterTheLastOne) {
  RandomStream random(2, RandomPurpose::test);
  for (const unsigned words : {1u, kWords})
    for (int round = 0; round < 2000; ++round) {
      const unsigned bits = words * kWordBits, last = random.below(bits);
      std::array<Word, kWords> mask{};
      for (std::uint32_t i = 1 + random.below(4); i; --i) set_bit(mask.data(), random.below(bits));
      unsigned expected = last;
      do expected = (expected + 1) % bits;
      while (!test_bit(mask.data(), expected));
      ASSERT_EQ(round_robin_behind(mask.data(), words, last), expected) << last;
    }
  std::array<Word, kWords> mask{1};
  EXPECT_EQ(round_robin_behind(mask.data(), kWords, kWords * kWordBits - 1), 0u);
}

}  // namespace flitmend
