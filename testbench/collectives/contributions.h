// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/random_stream.h"
#include "testbench/collectives/operation.h"

namespace flitmend {

/// What the members of a collective contribute: random 64-bit numbers, added modulo 2^64. A sum in which one
/// is missing or counted twice is another number, but for one case in 2^64.
class Contributions {
 public:
  Contributions(RandomStream, std::uint32_t members, std::uint32_t slots);

  /// Of member m in slot s: m · slots + s.
  const std::vector<std::uint64_t>& all() const { return contributed_; }
  /// What a member must have in a slot at the end; none if that does not matter.
  std::optional<std::uint64_t> expected(const CollectiveOperation&, std::uint32_t root, std::uint32_t member,
                                        std::uint32_t slot) const;

 private:
  std::uint32_t members_, slots_;
  std::vector<std::uint64_t> contributed_;
  std::vector<std::uint64_t> sums_;  ///< over all members, by slot
};

}  // namespace flitmend
