// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

/// The clock of one fabric. Once nothing moves there it stops, within some cycles, up to the first rising
/// edge at which something happens, at which the fabric is to pause, or before which any other process of the
/// kernel runs. The fabric counts the edges that are left out, so its cycles have the same times as with an
/// sc_clock.
///
/// It has no level and no falling edges, which would double its cost: it is a signal that only rises. Nothing
/// else may depend on its edges. From outside the kernel, look at the fabric and act on it only in pauses for
/// which the fabric was asked.
class GatedClock : public sc_core::sc_module, private sc_core::sc_signal_in_if<bool> {
 public:
  SC_HAS_PROCESS(GatedClock);
  /// The first edge is at time 0.
  GatedClock(sc_core::sc_module_name, const sc_core::sc_time& period);
  const char* kind() const override { return "flitmend_gated_clock"; }

  /// Binds the fabric's clock. Once, before the end of elaboration.
  void drive(Fabric&);
  const sc_core::sc_time& period() const { return period_; }

 private:
  const sc_core::sc_event& value_changed_event() const override { return rise_; }
  const sc_core::sc_event& default_event() const override { return rise_; }
  const sc_core::sc_event& posedge_event() const override { return rise_; }
  const sc_core::sc_event& negedge_event() const override { return never_; }
  const bool& read() const override { return level_; }
  const bool& get_data_ref() const override { return level_; }
  bool event() const override { return rise_.triggered(); }
  bool posedge() const override { return rise_.triggered(); }
  bool negedge() const override { return false; }

  void rise_or_ask();
  /// The time from the middle of a cycle to the next edge. Passes the edges that are left out.
  sc_core::sc_time time_to_rise();

  sc_core::sc_event rise_;
  sc_core::sc_event never_;
  sc_core::sc_event next_;
  bool asking_ = false;  ///< in the middle of this cycle
  bool level_ = true;
  sc_core::sc_time period_;
  sc_core::sc_time first_half_;
  Fabric* fabric_ = nullptr;
};

}  // namespace flitmend
