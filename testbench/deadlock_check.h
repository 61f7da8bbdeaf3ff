// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "protocols/deadlock/proof_listener.h"
#include "testbench/configuration/configuration.h"
#include "testbench/exit_status.h"

namespace flitmend {

/// The deadlock checker's judgement of a configuration.
struct DeadlockCheck {
  /// done: free of deadlock and livelock, and every pair has a route; deadlock: it can deadlock; unproved:
  /// anything else.
  ExitStatus status = ExitStatus::done;
  std::string verdict;  ///< one line
  std::string details;  ///< lines of text: graphs, cycles, pairs without a route
};

/// The part of a configuration that check_deadlock reads, as text. Two configurations with the same text have
/// the same verdict.
std::string deadlock_check_key(const Configuration&);

/// Exhaustive over the configured network. The configuration must be complete (settle.h). The listener may be
/// null. `graph`: receives what was found as a graph in the language of Graphviz, unless null. Throws
/// Interrupted if the listener stops it, KeyError if the check needs more memory than there is.
DeadlockCheck check_deadlock(const Configuration&, ProofListener*, std::string* graph = nullptr);

/// What prevents a deadlock that occurred in a run, in a sentence or two that are true of the configured
/// algorithm.
std::string deadlock_remedy(const Configuration&);

}  // namespace flitmend
