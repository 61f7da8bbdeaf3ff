// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/configuration/configuration.h"
#include "testbench/exit_status.h"

namespace flitmend {

/// What the deadlock checker says of a configuration.
struct DeadlockCheck {
  /// done: free of deadlock and livelock, every pair has a route; deadlock: it can deadlock; unproved: none
  /// of these.
  ExitStatus status = ExitStatus::done;
  std::string verdict;  ///< one line
  std::string details;  ///< lines of text: graphs, cycles, pairs without a route
};

/// The part of a configuration that check_deadlock reads, as text: two with the same have the same verdict.
std::string deadlock_check_key(const Configuration&);

/// Exhaustive over the configured network. The configuration is settled.
DeadlockCheck check_deadlock(const Configuration&);

}  // namespace flitmend
