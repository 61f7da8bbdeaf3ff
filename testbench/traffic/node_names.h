// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "base/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// The node that a configuration names by number or by coordinates. Throws ConfigurationError, whose text
/// starts with `where`, if the network has no such node.
NodeId node_of(const NodeName&, const Topology&, std::string_view where);

/// Number of positions in each dimension, lowest dimension first.
std::vector<std::uint32_t> radices(const Topology&);
/// The node with coordinates ⌊k/2⌋ in each dimension of radix k.
NodeId middle_node(const Topology&);

}  // namespace flitmend
