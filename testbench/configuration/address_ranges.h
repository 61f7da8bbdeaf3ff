// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "base/settings.h"
#include "rtl_tlm/sockets/address_map.h"
#include "topologies/topology.h"

namespace flitmend {

/// The entries of tlm.address_map with the nodes of that network. Throws KeyError if there is no such node.
std::vector<AddressRange> address_ranges(const std::vector<AddressMapEntry>&, const Topology&);

}  // namespace flitmend
