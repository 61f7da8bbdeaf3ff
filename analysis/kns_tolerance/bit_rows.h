// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "base/bits.h"

namespace flitmend {

/// Rows of bits of equal width; reuse keeps their memory.
class BitRows {
 public:
  /// `rows` rows of `bits` bits, all 0.
  void reset(unsigned rows, unsigned bits) {
    words_ = mask_words(bits);
    bits_.assign(std::size_t{rows} * words_, 0);
  }
  /// Appends a copy of `row`, words() words.
  void append(const Word* row) { bits_.insert(bits_.end(), row, row + words_); }

  unsigned words() const { return words_; }
  Word* operator[](unsigned row) { return bits_.data() + std::size_t{row} * words_; }
  const Word* operator[](unsigned row) const { return bits_.data() + std::size_t{row} * words_; }

 private:
  unsigned words_ = 0;
  std::vector<Word> bits_;
};

inline void add_bits(Word* to, const Word* more, unsigned words) {
  for (unsigned w = 0; w < words; ++w) to[w] |= more[w];
}
/// Whether every bit of `some` is in `all`.
inline bool covers(const Word* all, const Word* some, unsigned words) {
  for (unsigned w = 0; w < words; ++w)
    if (some[w] & ~all[w]) return false;
  return true;
}
inline bool any_bit(const Word* mask, unsigned words) {
  for (unsigned w = 0; w < words; ++w)
    if (mask[w]) return true;
  return false;
}

}  // namespace flitmend
