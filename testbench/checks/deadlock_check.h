// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "protocols/deadlock/proof_listener.h"
#include "testbench/configuration/configuration.h"
#include "testbench/run_end.h"

namespace flitmend {
class ChannelMap;
class RoutingFunction;
struct DeadlockAnalysis;
struct DeadlockOptions;

/// The deadlock checker's judgement of a configuration.
struct DeadlockCheck {
  /// done: free of deadlock and livelock, and every pair has a route; deadlock: it can deadlock; unproved:
  /// anything else.
  ExitStatus status = ExitStatus::done;
  std::string verdict;      ///< one line
  std::string details;      ///< lines of text: graphs, cycles, pairs without a route
  bool from_cache = false;  ///< it is that of an earlier check (VerdictCache)

  /// What `flitmend check` prints: the verdict, an empty line, the details.
  std::string text() const { return verdict + "\n\n" + details; }
};

/// What the configured routers and their recovery protocol let messages hold: cut_through and whole_paths.
DeadlockOptions deadlock_options(const Configuration&);

/// The part of a configuration that check_deadlock reads, as text. Two configurations with the same text have
/// the same verdict.
std::string deadlock_check_key(const Configuration&);

/// Receives what a check has found, with its verdict.
using ShowFinding = std::function<void(const DeadlockAnalysis&, const RoutingFunction&, const ChannelMap&,
                                       const std::string& verdict)>;

/// Exhaustive over the configured network. The configuration must be complete (settle()). The listener may be
/// null. `show` may be empty. Throws Interrupted if the listener stops it, NotNowError if the check needs
/// more memory than there is.
DeadlockCheck check_deadlock(const Configuration&, ProofListener*, const ShowFinding& show = {});

/// What prevents a deadlock that occurred in a run, in a sentence or two that are true of the configured
/// algorithm.
std::string deadlock_remedy(const Configuration&);

}  // namespace flitmend
