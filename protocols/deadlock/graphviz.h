// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "protocols/deadlock/checker.h"

namespace flitmend {

/// The result of an analysis as a Graphviz graph: the channels that messages use, and the dependencies
/// between them. A cycle is red. If the dependencies have an order that proves the routing free of deadlock,
/// every channel has its rank in it. If those of the escape channels have one, the graph is their extended
/// graph: direct dependencies are solid, direct cross ones dotted, indirect ones dashed; of more than 4096
/// channels only the direct ones. `faults`: those of the analysis, may be null.
std::string graphviz(const DeadlockAnalysis&, const RoutingFunction&, const ChannelMap&,
                     const FaultSet* faults = nullptr);

}  // namespace flitmend
