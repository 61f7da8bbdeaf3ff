// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "base/settings.h"
#include "topologies/topology.h"

namespace flitmend {

/// The node that a configuration names; none if the network has no such node.
std::optional<NodeId> find_node(const NodeName&, const Topology&);
/// The same of any router, so that it may be a switch.
std::optional<RouterId> find_router(const NodeName&, const Topology&);
/// What an error message then says: "there is no node 99 in the …; nodes are …".
std::string no_such_node(const NodeName&, const Topology&);

/// The node with coordinates ⌊k/2⌋ in each dimension of radix k.
NodeId middle_node(const Topology&);

}  // namespace flitmend
