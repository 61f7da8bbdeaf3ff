// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "base/language.h"

namespace flitmend {

/// What a member has in one of its slots at the end of a collective.
struct FinalSlot {
  enum class From : std::uint8_t {
    unknown,  ///< nothing that matters
    one,      ///< what one member contributed
    all       ///< the sum of what all members contributed in a slot
  };
  From from = From::unknown;
  std::uint32_t member = 0;  ///< From::one
  std::uint32_t slot = 0;    ///< of the contributions
};

/// What a collective is for, whatever its algorithm. Members are numbered by their places in the group.
struct CollectiveOperation {
  std::string_view name;
  /// Of n ≥ 1 members: bus bandwidth over algorithm bandwidth.
  double (*bus_factor)(double n);
  /// What member `member` of n has in `slot` at the end.
  FinalSlot (*final_slot)(std::uint32_t n, std::uint32_t root, std::uint32_t member, std::uint32_t slot);
  bool has_root = false;
};

inline constexpr CollectiveOperation kAllReduce = {
    .name = "all-reduce",
    .bus_factor = [](double n) { return 2 * (n - 1) / n; },
    .final_slot =
        [](std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t slot) {
          return FinalSlot{FinalSlot::From::all, 0, slot};
        }};

/// Slot i is for member i.
inline constexpr CollectiveOperation kReduceScatter = {
    .name = "reduce-scatter",
    .bus_factor = [](double n) { return (n - 1) / n; },
    .final_slot =
        [](std::uint32_t, std::uint32_t, std::uint32_t member, std::uint32_t slot) {
          return slot == member ? FinalSlot{FinalSlot::From::all, 0, slot} : FinalSlot{};
        }};

/// Slot i is that of member i.
inline constexpr CollectiveOperation kAllGather = {
    .name = "all-gather",
    .bus_factor = [](double n) { return (n - 1) / n; },
    .final_slot =
        [](std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t slot) {
          return FinalSlot{FinalSlot::From::one, slot, slot};
        }};

/// Slot i is from member i, slot n + i for member i.
inline constexpr CollectiveOperation kAllToAll = {
    .name = "all-to-all",
    .bus_factor = [](double n) { return (n - 1) / n; },
    .final_slot =
        [](std::uint32_t n, std::uint32_t, std::uint32_t member, std::uint32_t slot) {
          return slot < n && slot != member ? FinalSlot{FinalSlot::From::one, slot, n + member} : FinalSlot{};
        }};

inline constexpr CollectiveOperation kBroadcast = {
    .name = "broadcast",
    .bus_factor = [](double) { return 1.0; },
    .final_slot =
        [](std::uint32_t, std::uint32_t root, std::uint32_t, std::uint32_t slot) {
          return FinalSlot{FinalSlot::From::one, root, slot};
        },
    .has_root = true};

}  // namespace flitmend
