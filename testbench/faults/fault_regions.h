// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace flitmend {

/// The nodes of a region such as "box 2,3:2x4", "L …", "U …", "T …", "plus …" (see faults.regions). Shapes
/// other than box have two dimensions or extents of 1 in all but the first two. Throws ConfigurationError.
std::vector<NodeId> fault_region(const std::string& text, const Topology&);

}  // namespace flitmend
