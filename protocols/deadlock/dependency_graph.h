// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/deadlock/digraph.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// Adds the channel dependencies of one destination (Dally, Seitz): ci → cj iff a message that came by ci may
/// take cj next.
void add_dependencies(const StateGraph&, DigraphBuilder&);

/// The plain channel dependency graph over all destinations. Acyclic: free of deadlock, for every switching
/// technique and waiting rule.
Digraph dependency_graph(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr);

}  // namespace flitmend
