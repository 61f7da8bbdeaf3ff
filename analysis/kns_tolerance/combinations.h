// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random_stream.h"

namespace flitmend {

/// C(n, f); none if it exceeds 64 bits. O(f).
std::optional<std::uint64_t> combination_count(std::uint64_t n, std::uint64_t f);

/// The combination of that rank (0 … C(n, f) − 1) among the f-subsets of 0 … n − 1 in lexicographic order,
/// members ascending. C(n, f) must fit in 64 bits. O(f²·log n).
void combination_of_rank(std::uint32_t n, std::uint64_t rank, std::span<std::uint32_t> members);

/// The next combination in lexicographic order; false after the last one.
bool next_combination(std::uint32_t n, std::span<std::uint32_t> members);

/// Draws f different numbers below n, every subset equally likely (Floyd's method [Bentley87]). O(f) per
/// draw.
class SubsetSampler {
 public:
  void draw(std::uint32_t n, std::span<std::uint32_t> members, RandomStream& random);

 private:
  bool insert(std::uint32_t value);

  std::vector<std::uint32_t> slots_;  // open addressing; a slot is in use if it has this draw's stamp
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
};

}  // namespace flitmend
