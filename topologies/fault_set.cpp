// SPDX-License-Identifier: Apache-2.0
#include "topologies/fault_set.h"

namespace flitmend {

FaultSet::FaultSet(const Topology& topology) : topology_(&topology), routers_(topology.router_count()) {
  std::size_t ports = 0;
  for (RouterId r = 0; r < topology.router_count(); ++r) {
    first_.push_back(ports);
    ports += topology.port_count(r);
  }
  channels_.resize(ports);
}

void FaultSet::mark(std::vector<bool>& set, std::size_t index, bool faulty) {
  if (set[index] == faulty) return;
  set[index] = faulty;
  faulty ? ++marked_ : --marked_;
}

void FaultSet::fail_router(RouterId router) {
  mark(routers_, router, true);
}
void FaultSet::repair_router(RouterId router) {
  mark(routers_, router, false);
}
void FaultSet::fail_channel(RouterId router, PortId port) {
  mark(channels_, first_[router] + port, true);
}
void FaultSet::repair_channel(RouterId router, PortId port) {
  mark(channels_, first_[router] + port, false);
}
void FaultSet::fail_link(RouterId router, PortId port) {
  fail_channel(router, port);
  if (const auto far = topology_->neighbour(router, port)) fail_channel(far->router, far->port);
}
void FaultSet::repair_link(RouterId router, PortId port) {
  repair_channel(router, port);
  if (const auto far = topology_->neighbour(router, port)) repair_channel(far->router, far->port);
}

FaultSet FaultSet::with_whole_links() const {
  FaultSet whole = *this;
  for (RouterId router = 0; router < topology_->router_count(); ++router)
    for (PortId port = 0; port < topology_->port_count(router); ++port)
      if (channel_faulty(router, port)) whole.fail_link(router, port);
  return whole;
}

std::vector<bool> reached(const FaultSet& faults, RouterId start, Walk walk) {
  const Topology& topology = faults.topology();
  std::vector<bool> seen(topology.router_count());
  std::vector<RouterId> open{start};
  seen[start] = true;
  while (!open.empty()) {
    const RouterId at = open.back();
    open.pop_back();
    for (PortId port = 0; port < topology.port_count(at); ++port) {
      const auto far = topology.neighbour(at, port);
      if (!far || seen[far->router]) continue;
      const RouterPort from = walk == Walk::backward ? *far : RouterPort{at, port};
      if (!topology.carries_flits(from.router, from.port) || faults.blocked(from.router, from.port)) continue;
      seen[far->router] = true;
      open.push_back(far->router);
    }
  }
  return seen;
}

}  // namespace flitmend
