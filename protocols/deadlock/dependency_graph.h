// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/deadlock/digraph.h"
#include "protocols/deadlock/state_graph.h"

namespace flitmend {

/// Adds the channel dependencies of one destination [Dally87]: ci → cj iff a message that arrived on ci may
/// take cj next.
void add_dependencies(const StateGraph&, DigraphBuilder&);

/// The channel dependency graph over all destinations. If it is acyclic, there is no deadlock, for every
/// switching technique and waiting rule.
Digraph dependency_graph(const RoutingFunction&, const ChannelMap&, const FaultSet* faults = nullptr);

}  // namespace flitmend
