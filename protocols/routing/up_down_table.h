// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "protocols/routing/metric.h"
#include "protocols/routing/partitioned_routing.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// Up*/down* routing [Schroeder91]: the routers have an order, and no hop to an earlier one (up) follows a
/// hop to a later one (down), so that no channels depend on each other in a cycle. The order is that of the
/// distance from the lowest healthy router, by the metric, and of the numbers at the same distance. A table
/// of distances over permitted hops, by pair of routers and by whether a message has gone down. Any order of
/// the routers would do for the proof; this one permits a shortest path to the lowest router.
class UpDownTable {
 public:
  explicit UpDownTable(const Metric& metric = {}) : metric_(metric) {}

  /// For these faults.
  void update(const FaultSet&);

  bool goes_up(RouterId from, RouterId to) const { return rank_[to] < rank_[from]; }
  /// Left, in the metric; kNone: there is no route.
  std::uint32_t distance(RouterId from, bool down, RouterId to) const {
    return distance_[(std::size_t{to} * rank_.size() + from) * 2 + down];
  }
  static constexpr std::uint32_t kNone = ~0u;
  /// Whether the hop from a router over a port, to `far`, is on a shortest permitted path.
  bool leads_on(const Topology& t, RouterId from, bool down, PortId port, RouterId far, RouterId to) const {
    const bool up = goes_up(from, far);
    const std::uint32_t left = distance(far, !up, to);
    return !(up && down) && left != kNone && left + metric_.length(t, from, port) == distance(from, down, to);
  }

 private:
  void rank_routers(const FaultSet&);
  void measure(const FaultSet&, RouterId to);
  void measure_hops(const FaultSet&, RouterId to);
  /// Calls f(state, length) for each state, as in todo_, from which a hop leads to that state.
  template <class F>
  void for_each_before(const FaultSet&, std::uint32_t state, F&& f) const;

  Metric metric_;
  std::vector<std::uint32_t> rank_;      ///< by router: its place in the order
  std::vector<std::uint32_t> distance_;  ///< by destination, router, and whether the message has gone down
  std::vector<std::uint32_t> todo_;      ///< of a search: 2 · router + whether it has gone down
};

/// The most hops that its routes have beyond a shortest path, without faults.
std::uint32_t greatest_up_down_detour(const Topology&, const Metric& = {});

/// A virtual network around all faults, in which routing is up*/down* (UpDownTable), for algorithms that send
/// messages there when they have no other route. A message that is in it stays in it.
///
/// h: bit 63: in the fault network; bit 62: it has gone down there. The algorithm may use the others until
/// then.
class FaultNetwork {
 public:
  /// Without faults. Throws KeyError if the topology is too large for the table; `algorithm`: named then.
  FaultNetwork(const Topology&, const char* algorithm);

  /// Throws as the constructor does.
  static void check_size(const Topology&, const char* algorithm);

  void update(const FaultSet& faults) { table_.update(faults); }
  /// Whether a message with that routing state is in it.
  static bool contains(std::uint64_t h) { return h & kInside; }
  /// Whether a message that is not in it could reach its destination in it.
  bool leads_on(const RouteRequest& request) const {
    return table_.distance(request.here, false, request.destination) != UpDownTable::kNone;
  }
  /// All healthy hops on the shortest permitted paths, as escape candidates of that class and preference.
  void push(const RouteRequest&, std::uint8_t vc_class, std::uint8_t preference, CandidateList&) const;

 private:
  static constexpr std::uint64_t kInside = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kHasGoneDown = std::uint64_t{1} << 62;

  const Topology& topology_;
  UpDownTable table_;
};

}  // namespace flitmend
