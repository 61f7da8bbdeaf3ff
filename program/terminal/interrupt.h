// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <csignal>

namespace flitmend {

/// While this object lives, the first SIGINT, SIGTERM or SIGHUP asks the run to stop. A second signal changes
/// nothing, so that an impatient user still gets the results so far. A third one ends the process. Only one
/// object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal has arrived.
  const std::atomic<bool>& stop() const;

 private:
  static constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, 3> former_{};
};

}  // namespace flitmend
