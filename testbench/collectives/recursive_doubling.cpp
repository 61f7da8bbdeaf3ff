// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "testbench/collectives/collective.h"

namespace flitmend {
namespace {

/// Members beyond the largest power of two first give what they have to one of the others, and receive the
/// sum from it at the end.
CollectiveSchedule recursive_doubling(std::uint32_t n, std::uint32_t) {
  CollectiveSchedule schedule;
  const std::uint32_t power = std::bit_floor(n);
  std::uint32_t round = 0;
  const auto add = [&](std::uint32_t from, std::uint32_t to, bool combine) {
    schedule.transfers.push_back(
        {.from = from, .to = to, .sent_in = round, .received_in = round, .combine = combine});
  };
  for (std::uint32_t member = power; member < n; ++member) add(member, member - power, true);
  ++round;
  for (std::uint32_t distance = 1; distance < power; distance *= 2, ++round)
    for (std::uint32_t member = 0; member < power; ++member) add(member, member ^ distance, true);
  for (std::uint32_t member = power; member < n; ++member) add(member - power, member, false);
  return schedule;
}

}  // namespace

CollectiveEntry doubling_all_reduce_collective() {
  return {.name = "recursive-doubling all-reduce",
          .description =
              "Pairs exchange the whole vector, at distances 1, 2, 4, ...: log2 n rounds, and two "
              "more if n is not a power of two.",
          .operation = &kAllReduce,
          .algorithm = "recursive-doubling",
          .schedule = recursive_doubling};
}

}  // namespace flitmend
