// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "topologies/fault_set.h"

namespace flitmend {

enum class Search { forward, backward };

/// By router: whether it can be reached from `start` over healthy routers and channels that carry flits;
/// backward: whether `start` can be reached from it. `start` itself counts as reached.
std::vector<bool> reached(const FaultSet&, RouterId start, Search = Search::forward);

}  // namespace flitmend
