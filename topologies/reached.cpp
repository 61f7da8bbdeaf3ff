// SPDX-License-Identifier: Apache-2.0
#include "topologies/reached.h"

namespace flitmend {

std::vector<bool> reached(const FaultSet& faults, RouterId start, Search search) {
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
      const RouterPort from = search == Search::backward ? *far : RouterPort{at, port};
      if (!topology.carries_flits(from.router, from.port) || faults.blocked(from.router, from.port)) continue;
      seen[far->router] = true;
      open.push_back(far->router);
    }
  }
  return seen;
}

}  // namespace flitmend
