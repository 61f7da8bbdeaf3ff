// SPDX-License-Identifier: Apache-2.0
#include "topologies/capacity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {
namespace {

using Rate = std::function<double(RouterId, PortId)>;

enum class Direction { forth, back };

/// From the nodes 0 … first − 1 to the others, or back. Every channel that carries flits can carry what
/// `rate` says. Flow in one direction of a link makes room for as much in the other.
class ChannelFlow {
 public:
  ChannelFlow(const Topology& topology, NodeId first, const Rate& rate, Direction direction)
      : topology_(topology), first_(first) {
    for (RouterId r = 0; r < topology.router_count(); ++r) {
      first_port_.push_back(room_.size());
      for (PortId p = 0; p < topology.port_count(r); ++p) {
        // The flow back is one forth in the network with every channel turned round.
        const auto channel = direction == Direction::forth ? RouterPort{r, p} : topology.neighbour(r, p);
        room_.push_back(channel && topology.carries_flits(channel->router, channel->port)
                            ? rate(channel->router, channel->port)
                            : 0);
      }
    }
  }

  double maximum() {
    double flow = 0;
    while (find_levels()) {
      next_port_.assign(topology_.router_count(), 0);
      for (RouterId source = 0; source < first_; ++source)
        while (const double more = augment(source)) flow += more;
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

  /// Sends as much as one way over rising levels takes, from a source to a target. Returns 0 if there is
  /// none. The channel that has the least room is full afterwards, exactly, so the search ends.
  double augment(RouterId source) {
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
      if (path.empty()) return 0;
      at = path.back().router;
      ++next_port_[at];
      path.pop_back();
    }
    double amount = HUGE_VAL;
    for (const RouterPort& hop : path) amount = std::min(amount, room_[first_port_[hop.router] + hop.port]);
    for (const RouterPort& hop : path) {
      const RouterPort far = *topology_.neighbour(hop.router, hop.port);
      room_[first_port_[hop.router] + hop.port] -= amount;
      room_[first_port_[far.router] + far.port] += amount;
    }
    return amount;
  }

  const Topology& topology_;
  NodeId first_;
  std::vector<std::size_t> first_port_;
  std::vector<double> room_;  ///< by channel
  std::vector<std::uint32_t> level_;
  std::vector<PortId> next_port_;
};

}  // namespace

std::uint64_t least_cut(const Topology& topology, NodeId first) {
  // Sums of ones are exact.
  return static_cast<std::uint64_t>(least_cut(topology, first, [](RouterId, PortId) { return 1.0; }));
}

double least_cut(const Topology& topology, NodeId first, const Rate& rate) {
  const double forth = ChannelFlow(topology, first, rate, Direction::forth).maximum();
  if (!topology.has_one_way_links()) return forth;
  return std::min(forth, ChannelFlow(topology, first, rate, Direction::back).maximum());
}

double capacity_flits(const Topology& topology, unsigned flit_bits) {
  const double bisection =
      narrowest_link(topology, flit_bits)
          ? 2 * least_cut(topology, topology.node_count() / 2,
                          [&](RouterId r, PortId p) {
                            return 1.0 / cycles_per_flit(topology.link_width(r, p), flit_bits);
                          })
          : static_cast<double>(topology.bisection_channels());
  return 2.0 * bisection / topology.node_count();
}

}  // namespace flitmend
