// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

#include "base/language.h"

namespace flitmend {

using Word = std::uint64_t;
inline constexpr unsigned kWordBits = 64;

/// Words that a mask of `bits` bits takes.
constexpr unsigned mask_words(unsigned bits) {
  return (bits + kWordBits - 1) / kWordBits;
}

/// A word with the lowest `count` bits set; count ≤ 64.
constexpr Word low_bits(unsigned count) {
  return count >= kWordBits ? ~Word{0} : (Word{1} << count) - 1;
}

/// Bits that a number from 0 to `greatest` takes, at least 1.
constexpr unsigned width_of(std::uint64_t greatest) {
  return greatest == 0 ? 1 : static_cast<unsigned>(std::bit_width(greatest));
}

/// The bits 0, step, 2·step, …: `count` of them; (count − 1)·step < 64.
constexpr Word every_bit(unsigned count, unsigned step) {
  Word mask = 0;
  for (unsigned i = 0; i < count; ++i) mask |= Word{1} << (i * step);
  return mask;
}

// The same in masks of any number of words. If the compiler knows that there is one word, as fast as on a
// Word.

inline void set_bit(Word* mask, unsigned bit) {
  mask[bit / kWordBits] |= Word{1} << (bit % kWordBits);
}
inline void clear_bit(Word* mask, unsigned bit) {
  mask[bit / kWordBits] &= ~(Word{1} << (bit % kWordBits));
}
inline bool test_bit(const Word* mask, unsigned bit) {
  return mask[bit / kWordBits] >> (bit % kWordBits) & 1;
}

/// Round robin within one word: the first set bit at or after `from`, else the lowest set bit. `mask` is not
/// 0. Without a branch, because round-robin order has no pattern that a branch predictor could learn.
inline unsigned round_robin(Word mask, unsigned from) {
  if (mask == 0) __builtin_unreachable();  // saves the handling of 0 in countr_zero
  const Word rest = mask >> (from % kWordBits) | mask << (-from % kWordBits);
  return (static_cast<unsigned>(std::countr_zero(rest)) + from) % kWordBits;
}

/// Round robin after a grant: the first set bit after `last`, else the lowest set bit. `mask` is not 0, last
/// < 64.
inline unsigned round_robin_behind(Word mask, unsigned last) {
  return round_robin(mask, last + 1);
}

/// Round robin over a mask of `words` words; at least one bit is set, from < 64·words.
inline unsigned round_robin(const Word* mask, unsigned words, unsigned from) {
  if (words == 1) return round_robin(mask[0], from);
  const unsigned first = from / kWordBits;
  if (const Word here = mask[first] & (~Word{0} << (from % kWordBits)))
    return first * kWordBits + static_cast<unsigned>(std::countr_zero(here));
  for (unsigned i = 1; i <= words; ++i) {
    const unsigned w = (first + i) % words;
    if (mask[w]) return w * kWordBits + static_cast<unsigned>(std::countr_zero(mask[w]));
  }
  return 0;
}

/// Calls f(bit) for every set bit, lowest first. The word is copied first, so f may change it.
template <class F>
inline void for_each_bit(const Word* mask, unsigned words, F&& f) {
  for (unsigned w = 0; w < words; ++w)
    for (Word rest = mask[w]; rest; rest &= rest - 1)
      f(w * kWordBits + static_cast<unsigned>(std::countr_zero(rest)));
}

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
