// SPDX-License-Identifier: Apache-2.0
#include "testbench/accept_watchdog.h"

#include <algorithm>

#include "rtl_tlm/tlm/stalled_targets.h"

namespace flitmend {

AcceptWatchdog::AcceptWatchdog(Fabric& fabric, Cycle limit)
    : fabric_(fabric), limit_(limit), next_look_(limit) {
  fabric.add_observer(static_cast<CycleObserver&>(*this));
}

void AcceptWatchdog::cycle_done(Cycle t, const Word*, const Word*, unsigned) {
  if (t < next_look_ || !reason_.empty()) return;
  next_look_ = t + limit_;
  std::vector<StalledTarget> overdue;
  for (const StalledTarget& target : stalled_targets(fabric_)) {
    const Cycle due = target.since + limit_;
    if (due <= t)
      overdue.push_back(target);
    else
      next_look_ = std::min(next_look_, due);
  }
  if (overdue.empty()) return;
  reason_ = "tlm.accept_limit is reached: " + describe(overdue, fabric_);
  sc_core::sc_stop();
}

}  // namespace flitmend
