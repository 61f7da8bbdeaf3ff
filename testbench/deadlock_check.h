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

/// Exhaustive over the configured network. The configuration is settled.
DeadlockCheck check_deadlock(const Configuration&);

}  // namespace flitmend
