// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

/// The rising edges of a clock.
struct ClockEdges {
  ClockEdges(const sc_core::sc_time& clock_period, const sc_core::sc_time& first_edge)
      : period(clock_period), first(first_edge) {}
  explicit ClockEdges(const sc_core::sc_clock& clock) : period(clock.period()), first(clock.start_time()) {
    if (!clock.posedge_first()) first += period - period * clock.duty_cycle();
  }
  sc_core::sc_time at(Cycle cycle) const {
    return first + sc_core::sc_time::from_value(period.value() * cycle);
  }

  sc_core::sc_time period, first;
};

}  // namespace flitmend
