// SPDX-License-Identifier: Apache-2.0
#include "topologies/least_cut.h"

#include <vector>

namespace flitmend {
namespace {

/// Every channel can carry one unit. A unit in one direction of a link makes room for one more in the other.
class UnitFlow {
 public:
  UnitFlow(const Topology& topology, NodeId first) : topology_(topology), first_(first) {
    for (RouterId r = 0; r < topology.router_count(); ++r) {
      first_port_.push_back(room_.size());
      room_.insert(room_.end(), topology.port_count(r), 1);
    }
  }

  std::uint64_t maximum() {
    std::uint64_t flow = 0;
    while (find_levels()) {
      next_port_.assign(topology_.router_count(), 0);
      for (RouterId source = 0; source < first_; ++source)
        while (augment(source)) ++flow;
    }
    return flow;
  }

 private:
  static constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

  bool is_target(RouterId r) const { return r >= first_ && !topology_.is_switch(r); }

  /// Distances from the sources over channels with room; whether they reach a target.
  bool find_levels() {
    level_.assign(topology_.router_count(), kUnseen);
    std::vector<RouterId> seen;
    for (RouterId r = 0; r < first_; ++r) {
      level_[r] = 0;
      seen.push_back(r);
    }
    bool reached = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      reached = reached || is_target(seen[i]);
      for (PortId p = 0; p < topology_.port_count(seen[i]); ++p) {
        if (room_[first_port_[seen[i]] + p] == 0) continue;
        const auto far = topology_.neighbour(seen[i], p);
        if (!far || level_[far->router] != kUnseen) continue;
        level_[far->router] = level_[seen[i]] + 1;
        seen.push_back(far->router);
      }
    }
    return reached;
  }

  /// Sends one unit from a source to a target over rising levels.
  bool augment(RouterId source) {
    std::vector<RouterPort> path;
    RouterId at = source;
    while (!is_target(at)) {
      if (PortId& p = next_port_[at]; p < topology_.port_count(at)) {
        const auto far = topology_.neighbour(at, p);
        if (far && room_[first_port_[at] + p] > 0 && level_[far->router] == level_[at] + 1) {
          path.push_back({at, p});
          at = far->router;
        } else {
          ++p;
        }
        continue;
      }
      if (path.empty()) return false;
      at = path.back().router;
      ++next_port_[at];
      path.pop_back();
    }
    for (const RouterPort& hop : path) {
      const RouterPort far = *topology_.neighbour(hop.router, hop.port);
      --room_[first_port_[hop.router] + hop.port];
      ++room_[first_port_[far.router] + far.port];
    }
    return true;
  }

  const Topology& topology_;
  NodeId first_;
  std::vector<std::size_t> first_port_;
  std::vector<std::uint8_t> room_;  ///< by channel
  std::vector<std::uint32_t> level_;
  std::vector<PortId> next_port_;
};

}  // namespace

std::uint64_t least_cut(const Topology& topology, NodeId first) {
  return UnitFlow(topology, first).maximum();
}

}  // namespace flitmend
