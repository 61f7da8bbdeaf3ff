// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/bits.h"

namespace flitmend {

/// The messages from one source that a receiver need not take again: those before `first`, with which the
/// sender is done, and those after it whose bit is set. A ring of bits that doubles when it is too short; its
/// first word is part of the object, so that most messages need no other memory.
class FinishedIds {
 public:
  /// Ids from the first on that hardware would remember. Here the ring grows instead of making a sender wait
  /// that is further ahead.
  static constexpr unsigned kWindow = kWordBits;

  bool has(std::uint32_t id) const {
    const std::uint32_t ahead = id - first_;
    if (ahead >= kHalf) return true;
    return ahead < capacity() && (word(id) >> id % kWordBits & 1) != 0;
  }
  void add(std::uint32_t id) {
    const std::uint32_t ahead = id - first_;
    if (ahead >= kHalf) return;
    while (ahead >= capacity()) grow();
    word(id) |= Word{1} << id % kWordBits;
  }
  /// The sender is done with all ids before `oldest`.
  void advance(std::uint32_t oldest) {
    if (oldest - first_ >= kHalf) return;
    const std::uint32_t steps = std::min(oldest - first_, capacity());
    for (std::uint32_t id = first_, end = first_ + steps; id != end;) {
      const std::uint32_t bit = id % kWordBits;
      const std::uint32_t count = std::min<std::uint32_t>(kWordBits - bit, end - id);
      word(id) &= ~(low_bits(count) << bit);
      id += count;
    }
    first_ = oldest;
  }

 private:
  static constexpr std::uint32_t kHalf = 1u << 31;

  std::uint32_t words() const { return ring_.empty() ? 1u : static_cast<std::uint32_t>(ring_.size()); }
  std::uint32_t capacity() const { return words() * kWordBits; }
  Word& word(std::uint32_t id) { return ring_.empty() ? word_ : ring_[id / kWordBits & (words() - 1)]; }
  Word word(std::uint32_t id) const { return ring_.empty() ? word_ : ring_[id / kWordBits & (words() - 1)]; }
  // Ids first_ … first_ + capacity − 1 can share a word at the two ends, but no bit.
  void grow() {
    std::vector<Word> larger(2 * words());
    for (std::uint32_t i = 0; i < capacity(); ++i) {
      const std::uint32_t id = first_ + i;
      larger[id / kWordBits & (larger.size() - 1)] |= (word(id) >> id % kWordBits & 1) << id % kWordBits;
    }
    ring_.swap(larger);
  }

  Word word_ = 0;  ///< the ring, while one word is enough
  std::uint32_t first_ = 0;
  std::vector<Word> ring_;
};

}  // namespace flitmend
