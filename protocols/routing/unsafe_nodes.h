// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "topologies/fault_set.h"

namespace flitmend {

/// When a healthy node is unsafe: messages through it may get trapped.
enum class UnsafeRule {
  lee_hayes,     ///< two of its neighbours are faulty or unsafe [Lee92]
  wu_fernandez,  ///< two of its neighbours are faulty, or three are faulty or unsafe [Wu92]
};

/// The unsafe nodes among the healthy ones, to a fixpoint; by router.
std::vector<bool> unsafe_nodes(const FaultSet&, UnsafeRule);

}  // namespace flitmend
