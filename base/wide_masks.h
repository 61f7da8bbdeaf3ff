// SPDX-License-Identifier: Apache-2.0
// Round robin and ranges of bits in masks of any number of words; in masks of one word as fast as
// base/bits.h.
#pragma once
#include "base/bits.h"

namespace flitmend {

/// Round robin after a grant, over a mask of `words` words: the first set bit after `last`, else the lowest
/// set bit. At least one bit is set; last < 64·words.
inline unsigned round_robin_behind(const Word* mask, unsigned words, unsigned last) {
  if (words == 1) return round_robin_behind(mask[0], last);
  return round_robin(mask, words, last + 1 == words * kWordBits ? 0 : last + 1);
}

/// `count` ≤ 64 bits of a mask of `words` words, from bit `first` on.
inline Word bits_from(const Word* mask, unsigned words, unsigned first, unsigned count) {
  if (words == 1) return mask[0] >> first & low_bits(count);
  const unsigned w = first / kWordBits, shift = first % kWordBits;
  const Word high = shift + count > kWordBits ? mask[w + 1] << (kWordBits - shift) : 0;
  return (mask[w] >> shift | high) & low_bits(count);
}

/// Sets `count` ≤ 64 bits of a mask of `words` words, from bit `first` on.
inline void set_bits(Word* mask, unsigned words, unsigned first, unsigned count) {
  const unsigned w = words == 1 ? 0 : first / kWordBits, shift = first % kWordBits;
  mask[w] |= low_bits(count) << shift;
  if (words > 1 && shift + count > kWordBits) mask[w + 1] |= low_bits(count) >> (kWordBits - shift);
}

}  // namespace flitmend
