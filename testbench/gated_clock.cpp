// SPDX-License-Identifier: Apache-2.0
#include "testbench/gated_clock.h"

#include <algorithm>

namespace flitmend {

GatedClock::GatedClock(sc_core::sc_module_name name, const sc_core::sc_time& period)
    : sc_module(name), period_(period), first_half_(period * 0.5) {
  SC_METHOD(rise_or_ask);
  sensitive << next_;
}

void GatedClock::drive(Fabric& fabric) {
  fabric_ = &fabric;
  fabric.clock(*this);
  fabric.set_edges({period_, sc_core::SC_ZERO_TIME});
}

void GatedClock::rise_or_ask() {
  constexpr Cycle kAskPeriod = 8;  // asking costs a busy network more than a few idle cycles
  if (asking_) {
    asking_ = false;
    return next_.notify(time_to_rise());
  }
  rise_.notify(sc_core::SC_ZERO_TIME);
  asking_ = fabric_->cycles() % kAskPeriod == 0;
  next_.notify(asking_ ? first_half_ : period_);
}

// Half a cycle after an edge all that followed from it has been done. Faults strike in this moment; if one is
// still to come, there is activity at the present time.
sc_core::sc_time GatedClock::time_to_rise() {
  const sc_core::sc_time second_half = period_ - first_half_;
  const Cycle idle = fabric_->idle_edges();
  if (idle == 0) return second_half;
  const sc_core::sc_time others = sc_core::sc_time_to_pending_activity();
  if (others <= second_half) return second_half;
  const Cycle before_others = ((others - second_half).value() - 1) / period_.value() + 1;
  const Cycle passed = std::min(idle, before_others);
  fabric_->pass(passed);
  return second_half + sc_core::sc_time::from_value(passed * period_.value());
}

}  // namespace flitmend
