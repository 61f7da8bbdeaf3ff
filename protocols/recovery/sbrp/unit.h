// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"
#include "rtl_tlm/interfaces/interface_recovery.h"

namespace flitmend::sbrp {

/// The router's part of SBRP-0 and SBRP-1 [SBRP]: it asks for the messages that the next router has cut, by
/// telling its own network interface (InterfaceRecovery::message_cut). Messages whose tail has
/// left are in shadow registers (TailSignals).
class Unit final : public RouterRecovery, private CutHandling {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::tail_received) | line_bit(ControlLine::tail_gone);
  /// Throws KeyError if a switch has no node next to it: nobody could ask there.
  static void require_interfaces(const Topology&);

  explicit Unit(unsigned head_wait) : break_(*this, head_wait) {}
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router& router, Cycle t, unsigned port, bool input_side) override {
    break_.control_arrived(router, t, port, input_side);
  }
  void router_reset(Router& router) override { break_.router_reset(router); }
  void router_failed(Router& router) override { break_.router_failed(router); }
  void router_repaired(Router& router) override { break_.router_repaired(router); }
  bool has_requests(const Router& router) const override { return break_.has_requests(router); }
  void evaluate(Router& router, Cycle t) override { break_.evaluate(router, t); }
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return break_.timer_ends_wait(router, id);
  }
  const BreakUnit& break_unit() const { return break_; }

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  /// The messages in the shadow registers of a dead port.
  void ask_for_lingering(Router&, Cycle, unsigned port);

  BreakUnit break_;
};

}  // namespace flitmend::sbrp
