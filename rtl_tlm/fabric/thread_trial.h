// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "base/language.h"

namespace flitmend {

/// Finds out by measuring whether threads are worth their barrier: for some hundreds of cycles they are used
/// in turns with a single thread, then the faster way is used until the next trial, as the load changes. What
/// it finds depends on the host; no result of a simulation does.
class ThreadTrial {
 public:
  using Clock = std::chrono::steady_clock;

  /// Whether to use threads in this cycle. `routers`: those that it evaluates, at least 1.
  bool begin(unsigned routers) {
    routers_ = routers;
    if (!trying()) return pays_;
    started_ = Clock::now();
    return with_threads();
  }
  void end() { end(trying() ? std::chrono::duration<double>(Clock::now() - started_).count() : 0); }
  /// The same with a given time, in seconds.
  void end(double seconds) {
    if (!trying()) {
      if (++cycle_ == period_) begin_trial();
      return;
    }
    turn_.seconds += seconds;
    turn_.routers += routers_;
    ++cycle_;
    if (cycle_ % kTurn == kSettling)
      turn_ = {};  // these cycles have found other caches, and sleeping threads
    if (hopeless()) {
      end_trial(false);
    } else if (cycle_ % kTurn == 0) {
      double& best = best_[with_threads_before()];
      best = std::min(best, turn_.per_router());
      turn_ = {};
      if (!trying()) end_trial(best_[1] < kGain * best_[0]);
    }
  }
  /// What the last trial has found; false before its end.
  bool pays() const { return pays_; }

  static constexpr unsigned kTurn = 64, kSettling = 16, kTurns = 8;  ///< kTurn, kSettling: cycles

 private:
  static constexpr double kNone = 1e300;
  static constexpr double kGain = .95;  ///< of the time with one thread: less is a gain
  static constexpr unsigned kFirstPeriod = 1 << 12, kLongestPeriod = 1 << 17;

  struct Turn {
    double seconds = 0;
    std::uint64_t routers = 0;
    double per_router() const { return seconds / static_cast<double>(routers); }
  };

  bool trying() const { return cycle_ < kTurn * kTurns; }
  bool with_threads() const { return cycle_ / kTurn % 2 == 1; }
  bool with_threads_before() const { return (cycle_ - 1) / kTurn % 2 == 1; }
  /// Threads that wait for a processor take milliseconds per cycle: the trial ends before it costs much.
  bool hopeless() const {
    constexpr double kTimes = 4, kSeconds = 1e-3;
    return with_threads_before() && turn_.seconds > kSeconds && turn_.per_router() > kTimes * best_[0];
  }
  void begin_trial() {
    cycle_ = 0;
    best_ = {kNone, kNone};
    period_ = std::min(2 * period_, kLongestPeriod);
  }
  void end_trial(bool pays) {
    pays_ = pays;
    turn_ = {};
    cycle_ = kTurn * kTurns;
  }

  unsigned cycle_ = 0;  ///< since the beginning of the trial
  unsigned period_ = kFirstPeriod;
  unsigned routers_ = 1;
  bool pays_ = false;
  Clock::time_point started_;
  Turn turn_;
  std::array<double, 2> best_{kNone, kNone};  ///< seconds per router: with one thread, and with several
};

}  // namespace flitmend
