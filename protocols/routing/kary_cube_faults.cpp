// SPDX-License-Identifier: Apache-2.0
#include "protocols/routing/kary_cube_faults.h"

#include <algorithm>

#include "topologies/grid.h"

namespace flitmend {

bool is_kary_cube(const Topology& t) {
  return is_torus(t) && t.dimensions() <= KaryCube::kMaxDimensions &&
         std::all_of(t.radices().begin(), t.radices().end(),
                     [&](std::uint32_t radix) { return radix == t.radices().front(); });
}

KaryCube kary_cube_of(const Topology& t) {
  return KaryCube(t.radices().front(), static_cast<std::uint32_t>(t.dimensions()));
}

KaryCubeFaults kary_cube_faults(const FaultSet& faults) {
  const Topology& t = faults.topology();
  KaryCubeFaults found;
  for (RouterId router = 0; router < t.router_count(); ++router) {
    if (faults.router_faulty(router)) found.nodes.push_back(router);
    for (PortId port = 0; port < t.port_count(router); port = static_cast<PortId>(port + 2)) {
      const RouterPort far = *t.neighbour(router, port);
      if (faults.channel_faulty(router, port) || faults.channel_faulty(far.router, far.port))
        found.links.push_back({router, port / 2u});
    }
  }
  return found;
}

}  // namespace flitmend
