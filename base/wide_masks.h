// SPDX-License-Identifier: Apache-2.0
// Bits, ranges of bits and round robin in masks of any number of words. If the compiler knows that there is
// one word, as fast as on a Word.
#pragma once
#include "base/bits.h"

namespace flitmend {

inline void set_bit(Word* mask, unsigned words, unsigned bit) {
  mask[words == 1 ? 0 : bit / kWordBits] |= Word{1} << (bit % kWordBits);
}
inline void clear_bit(Word* mask, unsigned words, unsigned bit) {
  mask[words == 1 ? 0 : bit / kWordBits] &= ~(Word{1} << (bit % kWordBits));
}
inline bool test_bit(const Word* mask, unsigned words, unsigned bit) {
  return mask[words == 1 ? 0 : bit / kWordBits] >> (bit % kWordBits) & 1;
}

/// Round robin after a grant, over a mask of `words` words: the first set bit after `last`, else the lowest
/// set bit. At least one bit is set; last < 64·words.
inline unsigned round_robin_behind(const Word* mask, unsigned words, unsigned last) {
  if (words == 1) return round_robin_behind(mask[0], last);
  return round_robin(mask, words, last + 1 == words * kWordBits ? 0 : last + 1);
}

/// Round robin within a range of a mask of `words` words: the bits `range`, counted from bit `first` on. The
/// first set bit of the range after `last`, else the lowest. At least one is set; `last` is in the range.
inline unsigned round_robin_within(const Word* mask, unsigned words, unsigned first, Word range,
                                   unsigned last) {
  if (words == 1) return round_robin_behind(mask[0] & range << first, last);
  const unsigned w = first / kWordBits, shift = first % kWordBits;
  const Word high = range << shift >> shift != range ? mask[w + 1] << (kWordBits - shift) : 0;
  return first + round_robin_behind((mask[w] >> shift | high) & range, last - first);
}

/// Sets the bits `range`, counted from bit `first` on, in a mask of `words` words.
inline void set_bits(Word* mask, unsigned words, unsigned first, Word range) {
  const unsigned w = words == 1 ? 0 : first / kWordBits, shift = first % kWordBits;
  mask[w] |= range << shift;
  if (words > 1 && range << shift >> shift != range) mask[w + 1] |= range >> (kWordBits - shift);
}

}  // namespace flitmend
