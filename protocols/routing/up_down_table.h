// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "topologies/fault_set.h"

namespace flitmend {

/// Up*/down* routing [Schroeder91]: the routers have an order, and no hop to an earlier one (up) follows a
/// hop to a later one (down), so that no channels depend on each other in a cycle. The order is that of the
/// distance from the lowest healthy router, and of the numbers at the same distance. A table of distances
/// over permitted hops, by pair of routers and by whether a message has gone down.
class UpDownTable {
 public:
  /// For these faults.
  void update(const FaultSet&);

  bool goes_up(RouterId from, RouterId to) const { return rank_[to] < rank_[from]; }
  /// Hops left; kNone: there is no way.
  std::uint16_t distance(RouterId from, bool down, RouterId to) const {
    return distance_[(std::size_t{to} * rank_.size() + from) * 2 + down];
  }
  static constexpr std::uint16_t kNone = 0xffff;

 private:
  void rank_routers(const FaultSet&);
  void measure(const FaultSet&, RouterId to);

  std::vector<std::uint32_t> rank_;      ///< by router: its place in the order
  std::vector<std::uint16_t> distance_;  ///< by destination, router, and whether the message has gone down
  std::vector<std::uint32_t> todo_;      ///< of a search: 2 · router + whether it has gone down
};

/// Hops beyond a shortest path that its ways have at most, without faults.
std::uint32_t greatest_up_down_detour(const Topology&);

}  // namespace flitmend
