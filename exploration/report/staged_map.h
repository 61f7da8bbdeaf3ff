// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "exploration/report/network_map.h"
#include "topologies/switched_grid.h"

namespace flitmend {

/// Every subnetwork by itself, line by line, its caption above: the nodes of the line in a row, and the
/// stages of its switches above them. Where links have one direction, the nodes are there again at the top,
/// as receivers. So a node is drawn once or twice per dimension.
NetworkMap staged_map(const SwitchedGrid&);

}  // namespace flitmend
