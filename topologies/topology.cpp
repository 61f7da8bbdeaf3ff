// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.h"

#include <algorithm>

namespace flitmend {

std::uint64_t Topology::channel_count() const {
  return static_cast<std::uint64_t>(std::count_if(far_ends_.begin(), far_ends_.end(),
                                                  [](const RouterPort& e) { return e.router != kNowhere; }));
}

void Topology::set_size(NodeId nodes, const std::vector<PortId>& ports) {
  node_count_ = nodes;
  first_port_.resize(ports.size() + 1);
  first_port_[0] = 0;
  for (std::size_t r = 0; r < ports.size(); ++r) first_port_[r + 1] = first_port_[r] + ports[r];
  far_ends_.assign(first_port_.back(), RouterPort{kNowhere, 0});
}

void Topology::connect(RouterPort a, RouterPort b) {
  far_ends_[first_port_[a.router] + a.port] = b;
  far_ends_[first_port_[b.router] + b.port] = a;
}

}  // namespace flitmend
