// SPDX-License-Identifier: Apache-2.0
#include "topologies/link_width.h"

namespace flitmend {

std::optional<RouterPort> narrowest_link(const Topology& topology, unsigned flit_bits) {
  std::optional<RouterPort> narrowest;
  unsigned most = 1;
  for (RouterId r = 0; r < topology.router_count(); ++r)
    for (PortId p = 0; p < topology.port_count(r); ++p)
      if (const unsigned cycles = cycles_per_flit(topology.link_width(r, p), flit_bits); cycles > most) {
        most = cycles;
        narrowest = RouterPort{r, p};
      }
  return narrowest;
}

}  // namespace flitmend
