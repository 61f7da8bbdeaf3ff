// SPDX-License-Identifier: Apache-2.0
#include "testbench/collectives/contributions.h"

namespace flitmend {

Contributions::Contributions(RandomStream random, std::uint32_t members, std::uint32_t slots)
    : members_(members), slots_(slots), sums_(slots) {
  contributed_.reserve(std::size_t{members} * slots);
  for (std::uint32_t member = 0; member < members; ++member)
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      contributed_.push_back(random.bits64());
      sums_[slot] += contributed_.back();
    }
}

std::optional<std::uint64_t> Contributions::expected(const CollectiveOperation& operation, std::uint32_t root,
                                                     std::uint32_t member, std::uint32_t slot) const {
  const FinalSlot last = operation.final_slot(members_, root, member, slot);
  switch (last.from) {
    case FinalSlot::From::one:
      return contributed_[std::size_t{last.member} * slots_ + last.slot];
    case FinalSlot::From::all:
      return sums_[last.slot];
    case FinalSlot::From::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace flitmend
