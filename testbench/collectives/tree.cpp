// SPDX-License-Identifier: Apache-2.0
// The whole vector along a binomial tree.
#include <bit>

#include "testbench/collectives/collective.h"

namespace flitmend {
namespace {

/// The member with that place in the tree; the root has place 0. Places that differ in one bit are members
/// that do, if n is a power of two.
std::uint32_t member_at(std::uint32_t place, std::uint32_t n, std::uint32_t root) {
  return std::has_single_bit(n) ? place ^ root : (place + root) % n;
}

/// From the leaves to the root, nearest first. Returns the number of rounds.
std::uint32_t add_reduction(CollectiveSchedule& schedule, std::uint32_t n, std::uint32_t root) {
  std::uint32_t round = 0;
  for (std::uint32_t distance = 1; distance < n; distance *= 2, ++round)
    for (std::uint32_t place = 0; place + distance < n; place += 2 * distance)
      schedule.transfers.push_back({.from = member_at(place + distance, n, root),
                                    .to = member_at(place, n, root),
                                    .sent_in = round,
                                    .received_in = round,
                                    .combine = true});
  return round;
}

/// From the root to the leaves, farthest first.
void add_broadcast(CollectiveSchedule& schedule, std::uint32_t first, std::uint32_t n, std::uint32_t root) {
  std::uint32_t round = first;
  for (std::uint32_t distance = std::bit_ceil(n) / 2; distance > 0; distance /= 2, ++round)
    for (std::uint32_t place = 0; place + distance < n; place += 2 * distance)
      schedule.transfers.push_back({.from = member_at(place, n, root),
                                    .to = member_at(place + distance, n, root),
                                    .sent_in = round,
                                    .received_in = round});
}

CollectiveSchedule broadcast(std::uint32_t n, std::uint32_t root) {
  CollectiveSchedule schedule;
  add_broadcast(schedule, 0, n, root);
  return schedule;
}

CollectiveSchedule tree_all_reduce(std::uint32_t n, std::uint32_t) {
  CollectiveSchedule schedule;
  add_broadcast(schedule, add_reduction(schedule, n, 0), n, 0);
  return schedule;
}

}  // namespace

CollectiveEntry tree_all_reduce_collective() {
  return {.name = "tree all-reduce",
          .description = "Sums go up a binomial tree and the result down again: 2 log2 n rounds.",
          .operation = &kAllReduce,
          .algorithm = "tree",
          .schedule = tree_all_reduce};
}

CollectiveEntry tree_broadcast_collective() {
  return {.name = "tree broadcast",
          .description = "Down a binomial tree, farthest first: log2 n rounds.",
          .operation = &kBroadcast,
          .algorithm = "tree",
          .schedule = broadcast};
}

}  // namespace flitmend
