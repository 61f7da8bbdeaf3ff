// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "topologies/topology.h"

namespace flitmend {

/// The name of a router and its node in texts and pictures: "3,4" of router_3_4, "ID" of router_ID in a
/// network from a file; of a switch its whole name.
std::string place_name(const Topology&, RouterId);

}  // namespace flitmend
