// SPDX-License-Identifier: Apache-2.0
#include "exploration/search/known_states.h"

namespace flitmend {
namespace {

constexpr std::uint64_t CaseCounts::*kCounts[] = {
    &CaseCounts::single,    &CaseCounts::pairs,    &CaseCounts::permanent, &CaseCounts::hit,
    &CaseCounts::abandoned, &CaseCounts::lost,     &CaseCounts::guarded,   &CaseCounts::resent,
    &CaseCounts::untouched, &CaseCounts::deadlocks};
static_assert(sizeof(CaseCounts) == std::size(kCounts) * sizeof(std::uint64_t));

}  // namespace

CaseCounts& CaseCounts::operator+=(const CaseCounts& more) {
  for (const auto count : kCounts) this->*count += more.*count;
  return *this;
}

CaseCounts& CaseCounts::operator-=(const CaseCounts& less) {
  for (const auto count : kCounts) this->*count -= less.*count;
  return *this;
}

std::pair<KnownState*, bool> KnownStates::find(const Digest& key) {
  const auto [found, added] = by_key_.try_emplace(key, nullptr);
  if (added) {
    states_.emplace_back().key = key;
    found->second = &states_.back();
  }
  return {found->second, added};
}

}  // namespace flitmend
