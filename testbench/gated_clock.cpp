// SPDX-License-Identifier: Apache-2.0
#include "testbench/gated_clock.h"

#include <algorithm>

namespace flitmend {

GatedClock::GatedClock(sc_core::sc_module_name name, const sc_core::sc_time& period)
    : sc_module(name), level_("level"), period_(period), high_time_(period * 0.5) {
  SC_METHOD(change_level);
}

void GatedClock::drive(Fabric& fabric) {
  fabric_ = &fabric;
  fabric.clock(level_);
  fabric.set_edges({period_, sc_core::SC_ZERO_TIME});
}

void GatedClock::change_level() {
  const bool rising = !level_.read();
  next_trigger(rising ? high_time_ : low_time());
  level_.write(rising);
}

// Half a cycle after a rising edge all that followed from it has been done. Faults strike in this moment; if
// one is still to come, there is activity at the present time.
sc_core::sc_time GatedClock::low_time() {
  const sc_core::sc_time low = period_ - high_time_;
  const Cycle idle = fabric_->idle_edges();
  if (idle == 0) return low;
  const sc_core::sc_time others = sc_core::sc_time_to_pending_activity();
  if (others <= low) return low;
  const Cycle before_others = ((others - low).value() - 1) / period_.value() + 1;
  const Cycle passed = std::min(idle, before_others);
  fabric_->pass(passed);
  return low + sc_core::sc_time::from_value(passed * period_.value());
}

}  // namespace flitmend
