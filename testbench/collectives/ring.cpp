// SPDX-License-Identifier: Apache-2.0
// Each member sends to the next one of the group, the last one to the first.
#include "testbench/collectives/collective.h"

namespace flitmend {
namespace {

/// n − 1 rounds from `first` on. A member of number i begins with piece i + `ahead`, and then sends what it
/// has received in the round before.
void add_rounds(CollectiveSchedule& schedule, std::uint32_t n, std::uint32_t first, std::uint32_t ahead,
                bool combine) {
  for (std::uint32_t round = 0; round + 1 < n; ++round)
    for (std::uint32_t member = 0; member < n; ++member) {
      const std::uint32_t piece = (member + ahead + n - round) % n;
      schedule.transfers.push_back({.from = member,
                                    .to = (member + 1) % n,
                                    .sent_in = first + round,
                                    .received_in = first + round,
                                    .slot = piece,
                                    .into = piece,
                                    .combine = combine});
    }
}

CollectiveSchedule reduce_scatter(std::uint32_t n, std::uint32_t) {
  CollectiveSchedule schedule{.slots = n, .pieces = n};
  add_rounds(schedule, n, 0, n - 1, true);
  return schedule;
}

CollectiveSchedule all_gather(std::uint32_t n, std::uint32_t) {
  CollectiveSchedule schedule{.slots = n, .pieces = n};
  add_rounds(schedule, n, 0, 0, false);
  return schedule;
}

CollectiveSchedule all_reduce(std::uint32_t n, std::uint32_t root) {
  CollectiveSchedule schedule = reduce_scatter(n, root);
  add_rounds(schedule, n, n - 1, 0, false);
  return schedule;
}

}  // namespace

CollectiveEntry ring_all_reduce_collective() {
  return {.name = "ring all-reduce",
          .description = "Reduce-scatter and then all-gather on a ring: 2(n - 1) rounds of pieces of 1/n.",
          .operation = &kAllReduce,
          .algorithm = "ring",
          .schedule = all_reduce};
}

CollectiveEntry ring_reduce_scatter_collective() {
  return {.name = "ring reduce-scatter",
          .description = "Sums travel along a ring: n - 1 rounds, and member i has the sum of piece i.",
          .operation = &kReduceScatter,
          .algorithm = "ring",
          .schedule = reduce_scatter};
}

CollectiveEntry ring_all_gather_collective() {
  return {.name = "ring all-gather",
          .description = "Pieces travel along a ring: n - 1 rounds, and each member has the pieces of all.",
          .operation = &kAllGather,
          .algorithm = "ring",
          .schedule = all_gather};
}

}  // namespace flitmend
