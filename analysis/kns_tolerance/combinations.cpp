// SPDX-License-Identifier: Apache-2.0
#include "analysis/kns_tolerance/combinations.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace flitmend {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

std::optional<std::uint64_t> combination_count(std::uint64_t n, std::uint64_t f) {
  if (f > n) return 0;
  f = std::min(f, n - f);
  std::uint64_t count = 1;
  for (std::uint64_t i = 1; i <= f; ++i) {
    const Wide next = Wide{count} * (n - f + i) / i;  // C(n − f + i, i), which never decreases
    if (next > std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    count = static_cast<std::uint64_t>(next);
  }
  return count;
}

void combination_of_rank(std::uint32_t n, std::uint64_t rank, std::span<std::uint32_t> members) {
  std::uint32_t start = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint64_t left = members.size() - i;
    // Combinations of the rest whose first member is below c: all, minus those from c on.
    const std::uint64_t all = *combination_count(n - start, left);
    std::uint32_t low = start;
    std::uint32_t high = n - static_cast<std::uint32_t>(left);
    while (low < high) {
      const std::uint32_t c = low + (high - low + 1) / 2;
      if (all - *combination_count(n - c, left) <= rank)
        low = c;
      else
        high = c - 1;
    }
    rank -= all - *combination_count(n - low, left);
    members[i] = low;
    start = low + 1;
  }
}

bool next_combination(std::uint32_t n, std::span<std::uint32_t> members) {
  const auto f = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t i = f; i-- > 0;) {
    if (members[i] == n - f + i) continue;
    ++members[i];
    for (std::uint32_t j = i + 1; j < f; ++j) members[j] = members[j - 1] + 1;
    return true;
  }
  return false;
}

void SubsetSampler::draw(std::uint32_t n, std::span<std::uint32_t> members, RandomStream& random) {
  const std::size_t slots = std::bit_ceil(2 * members.size() + 1);
  if (slots_.size() < slots) {
    slots_.assign(slots, 0);
    stamps_.assign(slots, 0);
    stamp_ = 0;
  }
  if (++stamp_ == 0) {
    std::fill(stamps_.begin(), stamps_.end(), 0);
    stamp_ = 1;
  }
  const auto f = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t i = 0; i < f; ++i) {
    const std::uint32_t last = n - f + i;
    const std::uint32_t drawn = random.below(last + 1);
    members[i] = insert(drawn) ? drawn : last;
    if (members[i] == last && drawn != last) insert(last);
  }
}

bool SubsetSampler::insert(std::uint32_t value) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = (value * std::uint64_t{0x9E3779B97F4A7C15} >> 32) & mask;; at = (at + 1) & mask) {
    if (stamps_[at] != stamp_) {
      stamps_[at] = stamp_;
      slots_[at] = value;
      return true;
    }
    if (slots_[at] == value) return false;
  }
}

}  // namespace flitmend
