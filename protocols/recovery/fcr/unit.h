// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"

namespace flitmend::fcr {

/// The router's part of FCR [SBRP section 4.2]: a kill unit per virtual channel. A message that a fault has
/// cut is torn down in both directions, one router after the other:
///
///   BKILL goes upstream, to its source, which sends it again
///   FKILL goes downstream, to its head or its receiver, which drops what has arrived
///
/// NO_ROUTE goes with BKILL if the head has found no route.
///
/// Each router that a kill passes discards the message's flits and releases its output virtual channel. A
/// flit that meets a virtual channel which has just been released is discarded, and its credit is returned.
///
/// FKILL and BKILL of one message can pass each other on a channel. So after FKILL, BKILL is ignored for as
/// long as one that was sent for the same message can be on its way. Until FKILL has arrived, no BKILL can
/// come for the next message.
///
/// With atomic reallocation, no virtual channel ever has flits of two messages; the unit relies on that.
class Unit final : public RouterRecovery, private CutHandling {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::forward_kill) | line_bit(ControlLine::backward_kill) |
      line_bit(ControlLine::no_route) | line_bit(ControlLine::pad);

  explicit Unit(unsigned head_wait) : break_(*this, head_wait) {}
  FlitHooks hooks() const override { return kStrayHook; }
  bool flit_arrived(Router&, Cycle, unsigned, const Flit&) override { return false; }
  void channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) override {
    break_.channel_status_changed(router, t, port, input_side, faulty);
  }
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void router_reset(Router& router) override { break_.router_reset(router); }
  void router_failed(Router& router) override { break_.router_failed(router); }
  void router_repaired(Router& router) override { break_.router_repaired(router); }
  void evaluate(Router& router, Cycle t) override { break_.evaluate(router, t); }
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return break_.timer_ends_wait(router, id);
  }
  void injection_killed(Router& router, Cycle t, unsigned input_id) override {
    kill_forward(router, t, input_id);
  }

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  void cut_behind(Router&, Cycle, unsigned input_id) override;
  void head_waited(BreakUnit&, Router& router, Cycle t, unsigned input_id, bool no_way) override {
    BreakUnit::count_wait(router, t, input_id, no_way);
    kill_backward(router, t, input_id, no_way);
  }
  /// Tears down the message in an input virtual channel, here and upstream. `no_route`: its head found none.
  static void kill_backward(Router&, Cycle, unsigned input_id, bool no_route);
  /// … here and downstream.
  static void kill_forward(Router&, Cycle, unsigned input_id);
  static void backward_kill_arrived(Router&, Cycle, unsigned output_id, bool no_route);
  static void send_backward_kill(Router&, Cycle, unsigned input_id, bool no_route);
  static void send_forward_kill(Router&, Cycle, unsigned output_id, MessageIndex packet);

  BreakUnit break_;
};

}  // namespace flitmend::fcr
