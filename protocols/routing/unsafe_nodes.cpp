// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/unsafe_nodes.h"

namespace flitmend {

std::vector<bool> unsafe_nodes(const FaultSet& faults, UnsafeRule rule) {
  const Topology& t = faults.topology();
  std::vector<bool> unsafe(t.router_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (RouterId router = 0; router < t.router_count(); ++router) {
      if (unsafe[router] || faults.router_faulty(router)) continue;
      unsigned faulty = 0, either = 0;
      for (PortId port = 0; port < t.port_count(router); ++port)
        if (const auto far = t.neighbour(router, port)) {
          faulty += faults.router_faulty(far->router);
          either += faults.router_faulty(far->router) || unsafe[far->router];
        }
      if (rule == UnsafeRule::lee_hayes ? either < 2 : faulty < 2 && either < 3) continue;
      unsafe[router] = true;
      changed = true;
    }
  }
  return unsafe;
}

}  // namespace flitmend
