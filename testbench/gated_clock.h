// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

/// The clock of one fabric. It stops while nothing moves there, up to the first rising edge at which
/// something happens, at which the fabric is to pause, or before which any other process of the kernel runs.
/// The fabric counts the edges that are left out, so its cycles have the same times as with an sc_clock.
///
/// Nothing else may depend on its edges. From outside the kernel, look at the fabric and act on it only in
/// pauses for which the fabric was asked.
class GatedClock : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(GatedClock);
  /// The first rising edge is at time 0; the duty cycle is one half.
  GatedClock(sc_core::sc_module_name, const sc_core::sc_time& period);
  const char* kind() const override { return "flitmend_gated_clock"; }

  /// Binds the fabric's clock. Once, before the end of elaboration.
  void drive(Fabric&);
  const sc_core::sc_time& period() const { return period_; }

 private:
  void change_level();
  /// The time from a falling edge to the next rising one. Passes the edges that are left out.
  sc_core::sc_time low_time();

  sc_core::sc_signal<bool> level_;
  sc_core::sc_time period_;
  sc_core::sc_time high_time_;
  Fabric* fabric_ = nullptr;
};

}  // namespace flitmend
