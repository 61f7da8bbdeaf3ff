// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace flitmend {

/// While one lives, the first SIGINT or SIGTERM asks the run to stop; a second one ends the process, as
/// always. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Set once a signal has come.
  const std::atomic<bool>& stop() const;
};

}  // namespace flitmend
