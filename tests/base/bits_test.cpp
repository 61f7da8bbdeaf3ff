// SPDX-License-Identifier: Apache-2.0
#include "base/bits.h"

#include <gtest/gtest.h>

#include <vector>

namespace flitmend {

TEST(RoundRobin, TakesTheFirstSetBitAtOrAfterThePointer) {
  EXPECT_EQ(round_robin(0b1010, 0), 1u);
  EXPECT_EQ(round_robin(0b1010, 2), 3u);
  EXPECT_EQ(round_robin(0b1010, 4), 1u);
  EXPECT_EQ(round_robin(Word{1} << 63, 63), 63u);
}

TEST(RoundRobin, OverSeveralWordsAgreesWithAScanOfTheBits) {
  constexpr unsigned kBits = 192;
  for (unsigned a : {0u, 5u, 63u, 64u, 127u, 128u, 191u})
    for (unsigned b : {1u, 64u, 130u})
      for (unsigned from = 0; from < kBits; ++from) {
        std::vector<Word> mask(3);
        set_bit(mask.data(), a);
        set_bit(mask.data(), b);
        unsigned expected = from;
        while (!test_bit(mask.data(), expected)) expected = (expected + 1) % kBits;
        EXPECT_EQ(round_robin(mask.data(), 3, from), expected) << a << ' ' << b << ' ' << from;
      }
}

TEST(Masks, VisitsEverySetBitInOrder) {
  std::vector<Word> mask(2);
  for (unsigned bit : {3u, 64u, 100u}) set_bit(mask.data(), bit);
  clear_bit(mask.data(), 64);
  std::vector<unsigned> seen;
  for_each_bit(mask.data(), 2, [&](unsigned bit) { seen.push_back(bit); });
  EXPECT_EQ(seen, (std::vector<unsigned>{3, 100}));
  EXPECT_EQ(low_bits(64), ~Word{0});
  EXPECT_EQ(low_bits(3), Word{7});
  EXPECT_EQ(mask_words(65), 2u);
}

}  // namespace flitmend
