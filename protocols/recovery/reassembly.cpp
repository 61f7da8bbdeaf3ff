// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/reassembly.h"

#include <algorithm>
#include <bit>

namespace flitmend {

std::uint32_t Reassembly::add(std::uint32_t first, std::uint32_t count) {
  std::uint32_t fresh = 0;
  for (std::uint32_t flit = first, end = first + count; flit != end;) {
    const std::uint32_t bit = flit % kWordBits;
    const std::uint32_t here = std::min<std::uint32_t>(kWordBits - bit, end - flit);
    Word& word = bits_[flit / kWordBits];
    const Word arrived = (low_bits(here) << bit) & ~word;
    word |= arrived;
    fresh += static_cast<std::uint32_t>(std::popcount(arrived));
    flit += here;
  }
  missing_ -= fresh;
  return fresh;
}

std::uint32_t Reassembly::first_missing() const {
  std::uint32_t flit = 0;
  for (const Word word : bits_) {
    if (word != ~Word{0}) return flit + static_cast<std::uint32_t>(std::countr_one(word));
    flit += kWordBits;
  }
  return flit;
}

}  // namespace flitmend
