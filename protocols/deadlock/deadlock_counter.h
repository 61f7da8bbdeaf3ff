// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "protocols/deadlock/watchdog.h"
#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/deadlock_lane/token_observer.h"

namespace flitmend {

/// Counts the deadlocks of a fabric, and how many of the heads that recovery takes for deadlocked are.
class DeadlockCounter final : public CycleObserver, public TokenObserver {
 public:
  /// Cycles between two looks for deadlocks; one that comes and goes in between is not counted.
  static constexpr Cycle kPeriod = 64;

  /// The fabric must outlive this, and tell it of cycles and of the token.
  explicit DeadlockCounter(const Fabric& fabric) : watchdog_(fabric) {}

  void cycle_done(Cycle t, const Word* evaluated, const Word* arriving, unsigned words) override;
  Cycle needed_after(Cycle t) const override { return settled_ ? kNever : (t / kPeriod + 1) * kPeriod; }
  void fabric_cleared() override;
  void token_captured(Cycle, RouterId router, unsigned input_id) override {
    captured_.emplace_back(router, input_id);
  }

  std::uint64_t deadlocks() const { return deadlocks_; }
  /// Heads that were deadlocked when they captured the token.
  std::uint64_t right_captures() const { return right_captures_; }

 private:
  void count_deadlocks();

  DeadlockWatchdog watchdog_;
  std::vector<std::pair<RouterId, unsigned>> captured_;           ///< in this cycle
  std::set<std::tuple<RouterId, unsigned, MessageIndex>> known_;  ///< blocked at the last look
  bool settled_ = false;                                          ///< counted since anything happened
  std::uint64_t deadlocks_ = 0;
  std::uint64_t right_captures_ = 0;
};

}  // namespace flitmend
