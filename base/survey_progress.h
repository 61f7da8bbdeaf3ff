// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/errors.h"

namespace flitmend {

/// Receives the progress of a long survey from an engine, and may stop it.
class SurveyListener {
 public:
  virtual ~SurveyListener() = default;
  /// `done` of `all` equal pieces of work are finished. Called from any thread but never from two at a time,
  /// up to some thousand times per second; a call is skipped now and then.
  virtual void update(std::uint64_t done, std::uint64_t all) = 0;
  /// Whether to stop the survey. Called from any thread, possibly several at a time.
  virtual bool stop() const = 0;
};

/// The engine's side: counts finished work on all threads. Never changes a result.
class SurveyProgress {
 public:
  /// `listener` may be null.
  SurveyProgress(SurveyListener* listener, std::uint64_t all) : listener_(listener), all_(all) {}

  /// `count` more pieces are finished. O(1), never waits for another thread. Throws Interrupted if the
  /// listener wants to stop.
  void add(std::uint64_t count) {
    if (!listener_) return;
    const std::uint64_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
    if (listener_->stop()) throw Interrupted("stopped by a signal before its end; there is no result");
    const std::unique_lock lock(one_at_a_time_, std::try_to_lock);
    if (lock) listener_->update(done, all_);
  }

 private:
  SurveyListener* listener_;
  std::uint64_t all_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex one_at_a_time_;
};

}  // namespace flitmend
