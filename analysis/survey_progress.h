// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/errors.h"

namespace flitmend {

/// Hears from an engine how far a long survey has come, and may end it.
class SurveyListener {
 public:
  virtual ~SurveyListener() = default;
  /// `done` of `all` like pieces of work are over. From any thread, from one at a time, some thousand times a
  /// second; now and then one is left out.
  virtual void update(std::uint64_t done, std::uint64_t all) = 0;
  /// Whether to give the survey up. From any thread, from several at a time.
  virtual bool stop() const = 0;
};

/// The engine's side: counts what is done on all threads. Never changes a result.
class SurveyProgress {
 public:
  /// `listener` may be null.
  SurveyProgress(SurveyListener* listener, std::uint64_t all) : listener_(listener), all_(all) {}

  /// `count` pieces more are done. O(1), never waits for another thread. Throws Interrupted where the
  /// listener wants an end.
  void add(std::uint64_t count) {
    if (!listener_) return;
    const std::uint64_t done = done_.fetch_add(count, std::memory_order_relaxed) + count;
    if (listener_->stop()) throw Interrupted("stopped by a signal; a survey that is cut short has no result");
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
