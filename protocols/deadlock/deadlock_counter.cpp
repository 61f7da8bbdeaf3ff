// SPDX-License-Identifier: Apache-2.0
#include "protocols/deadlock/deadlock_counter.h"

#include <algorithm>

namespace flitmend {

void DeadlockCounter::cycle_done(Cycle t, const Word*, const Word*, unsigned) {
  const bool due = t % kPeriod == 0;
  settled_ = due;
  if (!due && captured_.empty()) return;
  watchdog_.look();
  for (const auto& [router, id] : captured_) right_captures_ += watchdog_.blocked(router, id);
  captured_.clear();
  if (due) count_deadlocks();
}

/// A deadlock is new if none of its virtual channels was blocked by the same message at the last look.
void DeadlockCounter::count_deadlocks() {
  std::set<std::tuple<RouterId, unsigned, MessageIndex>> now;
  for (const std::vector<WaitingVc>& deadlock : watchdog_.deadlocks()) {
    deadlocks_ += std::none_of(deadlock.begin(), deadlock.end(), [&](const WaitingVc& v) {
      return known_.contains({v.router, v.id, v.message});
    });
    for (const WaitingVc& v : deadlock) now.insert({v.router, v.id, v.message});
  }
  known_ = std::move(now);
}

void DeadlockCounter::fabric_cleared() {
  captured_.clear();
  known_.clear();
}

}  // namespace flitmend
