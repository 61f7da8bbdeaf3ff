// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/deadlock_check.h"
#include "testbench/fault_sets_check.h"
#include "testbench/verdict_cache.h"

namespace flitmend {

/// Everything that a verdict about a configuration depends on, besides the program: the configuration as far
/// as it is checked, and digests of the files that it names. None if one cannot be read.
std::optional<std::string> verdict_question(const Configuration&);

/// check_deadlock, unless the verdict was kept.
DeadlockCheck deadlock_verdict(const Configuration&, ProofListener*, const VerdictCache&);

/// The same for check_fault_sets.
DeadlockCheck fault_sets_verdict(const Configuration&, FaultSets, ProofListener*, const VerdictCache&);

}  // namespace flitmend
