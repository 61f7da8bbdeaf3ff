// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/checks/deadlock_check.h"

namespace flitmend {

/// Sets of permanent faults that a configuration is checked with, one after the other.
enum class FaultSets {
  single,        ///< every node, and every link
  double_links,  ///< every two links
};

/// The deadlock checker's judgement of the routing with every set of faults of a kind, known to the routing
/// function: done if no set allows a deadlock, else the verdict on the first one that does, which is shown.
/// Says for how many sets every pair of healthy nodes that is connected has a route. The listener may be
/// null. Throws Interrupted if it stops the check.
DeadlockCheck check_fault_sets(const Configuration&, FaultSets, ProofListener*);

/// What the deadlock checker says of the routing with the faults of the configuration that are there from the
/// start, known to the routing function, as lines of text; empty without such faults. Throws as
/// check_fault_sets does.
std::string static_faults_text(const Configuration&, ProofListener*);

}  // namespace flitmend
