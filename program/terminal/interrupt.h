// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace flitmend {

/// While this object lives, the first SIGINT or SIGTERM asks the run to stop; a second one ends the process,
/// as usual. Only one object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal has come.
  const std::atomic<bool>& stop() const;
};

}  // namespace flitmend
