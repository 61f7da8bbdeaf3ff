// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// Which routers and channels of a graph are faulty. Ports at the edge of a mesh count as faulty.
class FaultSet {
 public:
  explicit FaultSet(const Topology&);

  void fail_router(RouterId);
  void repair_router(RouterId);
  /// The outgoing channel of a router at a port, in that direction only.
  void fail_channel(RouterId, PortId);
  void repair_channel(RouterId, PortId);
  /// Both channels of the link at a port.
  void fail_link(RouterId, PortId);
  void repair_link(RouterId, PortId);

  bool router_faulty(RouterId router) const { return routers_[router]; }
  /// The channel itself, whatever the state of its two routers.
  bool channel_faulty(RouterId router, PortId port) const { return channels_[first_[router] + port]; }
  /// Whether nothing can be sent there: the channel, the router at its far end, or the router itself is
  /// faulty.
  bool blocked(RouterId router, PortId port) const {
    const auto far = topology_->neighbour(router, port);
    return !far || routers_[router] || routers_[far->router] || channel_faulty(router, port);
  }
  /// The same faults, where a link with one faulty channel is faulty in both directions.
  FaultSet with_whole_links() const;
  /// Routers and channels that are marked faulty.
  std::size_t count() const { return marked_; }
  const Topology& topology() const { return *topology_; }

 private:
  void mark(std::vector<bool>&, std::size_t index, bool faulty);

  const Topology* topology_;
  std::vector<std::size_t> first_;  // index in channels_ of each router's first port
  std::vector<bool> routers_;
  std::vector<bool> channels_;
  std::size_t marked_ = 0;
};

enum class Walk { forward, backward };

/// By router: whether it can be reached from `start` over healthy routers and channels that carry flits;
/// backward: whether `start` can be reached from it. `start` itself counts as reached.
std::vector<bool> reached(const FaultSet&, RouterId start, Walk = Walk::forward);

}  // namespace flitmend
