// SPDX-License-Identifier: Apache-2.0
#include "topologies/capacity.h"

#include "topologies/least_cut.h"
#include "topologies/link_width.h"

namespace flitmend {

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
