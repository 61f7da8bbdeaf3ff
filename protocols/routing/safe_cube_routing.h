// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "protocols/routing/grid_routing.h"
#include "topologies/fault_set.h"

namespace flitmend {

/// When a healthy node is unsafe: messages through it may get trapped.
enum class UnsafeRule {
  lee_hayes,     ///< two of its neighbours are faulty or unsafe [Lee92]
  wu_fernandez,  ///< two of its neighbours are faulty, or three are faulty or unsafe [Wu92]
};

/// The unsafe nodes among the healthy ones, to a fixpoint; by router.
std::vector<bool> unsafe_nodes(const FaultSet&, UnsafeRule);

/// The option `unsafe`.
extern const OptionKey kUnsafeOption;
UnsafeRule unsafe_rule(const OptionValues&);

/// How Lee and Hayes [Lee92] choose hops on a hypercube with faulty nodes. The neighbour that is the
/// destination; else productive ports to safe nodes; else productive ports to unsafe ones; else a misroute,
/// to a safe node if there is one, but not back. A message makes at most two misroutes, and at most one hop
/// more than the cube has dimensions. Algorithms differ in the virtual channels that a message takes.
///
/// h: bits 0 to 7: hops so far; bits 8 and 9: misroutes so far; the others are the algorithm's.
class SafeCubeRouting : public GridRouting {
 public:
  unsigned max_candidates() const override { return grid_.dimensions(); }
  bool looks_at_arrival() const override { return true; }
  bool knows_all_faults() const override { return true; }
  void update_faults(const FaultSet& faults) override { unsafe_ = unsafe_nodes(faults, rule_); }

  static unsigned most_hops(unsigned dimensions) { return dimensions + 1; }

  /// The topology is a hypercube. `masks`: as many as the algorithm has classes.
  SafeCubeRouting(const Topology& topology, std::vector<VcMask> masks, UnsafeRule rule)
      : GridRouting(topology, std::move(masks)), rule_(rule), unsafe_(topology.router_count()) {}

 protected:
  static unsigned hops_of(std::uint64_t h) { return static_cast<unsigned>(h & 0xff); }

  /// Calls push(port, h) for every port that the head may take; h counts the hop, and the misroute if it is
  /// one. The head is not at its destination.
  template <class Push>
  void for_each_hop(const RouteRequest& request, Push&& push) const {
    bool any = false;
    const auto take = [&](bool productive, bool safe, std::uint64_t h) {
      if (any) return;
      for (PortId port = 0; port < grid_.dimensions(); ++port) {
        const bool nearer = grid_.offset(request.here, request.destination, port) != 0;
        if (nearer != productive || port == request.arrival_port || !healthy(request, port)) continue;
        const RouterId far = topology_.neighbour(request.here, port)->router;
        if ((far == request.destination || !unsafe_[far]) != safe) continue;
        push(port, h);
        any = true;
      }
    };
    const std::uint64_t h = request.head_state + 1;
    take(true, true, h);
    take(true, false, h);
    if (any || !may_misroute(request)) return;
    take(false, true, h + kMisroute);
    take(false, false, h + kMisroute);
  }

 private:
  static constexpr std::uint64_t kMisroute = 1 << 8;
  static constexpr unsigned kMostMisroutes = 2;

  bool may_misroute(const RouteRequest& request) const {
    const unsigned misroutes = request.head_state >> 8 & 3;
    const unsigned left = grid_.distance(request.here, request.destination);
    return misroutes < kMostMisroutes &&
           hops_of(request.head_state) + left + 2 <= most_hops(grid_.dimensions());
  }

  UnsafeRule rule_;
  std::vector<bool> unsafe_;  ///< by router
};

/// How many faulty nodes leave every two healthy, connected nodes of a hypercube a route.
unsigned tolerated_by_safe_routing(const Topology&);

}  // namespace flitmend
