// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "testbench/collectives/collective.h"

namespace flitmend {
namespace {

/// Round `step` of member i is with member i XOR step, or with i + step and i − step if n is not a power of
/// two. All are in round 0 if they are not apart.
CollectiveSchedule exchange(std::uint32_t n, bool apart, bool by_xor) {
  CollectiveSchedule schedule{.slots = 2 * n, .pieces = n};
  for (std::uint32_t step = 1; step < n; ++step)
    for (std::uint32_t member = 0; member < n; ++member) {
      const std::uint32_t partner = by_xor ? member ^ step : (member + step) % n;
      const std::uint32_t round = apart ? step : 0;
      schedule.transfers.push_back({.from = member,
                                    .to = partner,
                                    .sent_in = round,
                                    .received_in = round,
                                    .slot = n + partner,
                                    .into = member});
    }
  return schedule;
}

}  // namespace

CollectiveEntry pairwise_all_to_all_collective() {
  return {
      .name = "pairwise all-to-all",
      .description =
          "n - 1 rounds: in round k member i exchanges with member i XOR k; if n is not a "
          "power of two, it sends to i + k and receives from i - k.",
      .operation = &kAllToAll,
      .algorithm = "pairwise",
      .schedule = [](std::uint32_t n, std::uint32_t) { return exchange(n, true, std::has_single_bit(n)); }};
}

CollectiveEntry direct_all_to_all_collective() {
  return {.name = "direct all-to-all",
          .description = "Each member sends to all others at once, to the next one of the group first.",
          .operation = &kAllToAll,
          .algorithm = "direct",
          .schedule = [](std::uint32_t n, std::uint32_t) { return exchange(n, false, false); }};
}

}  // namespace flitmend
