// SPDX-License-Identifier: Apache-2.0
#include "testbench/elements/element_watchdog.h"

#include <algorithm>

namespace flitmend {
namespace {

/// The smaller limit, of those that are not 0.
Cycle shorter(Cycle a, Cycle b) {
  return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

}  // namespace

ElementWatchdog::ElementWatchdog(Fabric& fabric, const Limits& limits)
    : fabric_(fabric),
      limits_(limits),
      interval_(shorter(limits.accept, limits.response)),
      next_look_(interval_) {
  fabric.add_observer(static_cast<CycleObserver&>(*this));
}

Cycle ElementWatchdog::limit_of(const StalledElement& element) const {
  switch (element.stall) {
    case Stall::request_not_accepted:
      return shorter(limits_.accept, limits_.response);
    case Stall::request_not_answered:
      return limits_.response;
    case Stall::response_not_accepted:
      break;
  }
  return limits_.accept;
}

void ElementWatchdog::cycle_done(Cycle t, const Word*, const Word*, unsigned) {
  if (t < next_look_ || !reason_.empty()) return;
  next_look_ = t + interval_;
  std::vector<StalledElement> overdue;
  for (const StalledElement& element : stalled_elements(fabric_)) {
    const Cycle limit = limit_of(element);
    if (limit == 0) continue;
    if (element.since + limit <= t)
      overdue.push_back(element);
    else
      next_look_ = std::min(next_look_, element.since + limit);
  }
  if (overdue.empty()) return;
  const bool accept = std::ranges::any_of(overdue, [this](const StalledElement& e) {
    return e.stall != Stall::request_not_answered && limit_of(e) == limits_.accept;
  });
  reason_ = std::string(accept ? "tlm.accept_limit" : "tlm.response_limit") +
            " is reached: " + describe(overdue, fabric_);
  SC_REPORT_WARNING("flitmend/tlm", (std::string(fabric_.name()) + ": " + reason_).c_str());
  sc_core::sc_stop();
}

}  // namespace flitmend
