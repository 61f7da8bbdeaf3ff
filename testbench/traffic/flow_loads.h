// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "rtl_tlm/interfaces/routing_function.h"
#include "testbench/traffic/flow.h"

namespace flitmend {

/// Lines for the user about flows that cannot get what they ask for, with the flits per cycle that they bring
/// to a node, or put on a channel. None where a network is so large that this would take seconds.
/// `one_path`: the routing function has one path for each pair of nodes, and the load of channels is judged
/// too. `unlimited_ejection`: nodes take whatever arrives. `end`: the cycle from which flows send nothing.
std::vector<std::string> overload_notes(const FlowTraffic&, const Topology&, const RoutingFunction&,
                                        bool one_path, bool unlimited_ejection, Cycle end);

}  // namespace flitmend
