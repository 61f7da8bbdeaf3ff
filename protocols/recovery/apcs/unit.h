// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"

namespace flitmend::apcs {

/// The router's part of APCS [Gaughan96]: tears down the circuits that a fault has cut, and moves a head back
/// when all ports that it could take are dead or, unless heads wait (`busy`), busy. Circuits that no fault
/// cuts need no unit otherwise (Circuits).
///
/// Its registers: CircuitPort, CircuitMasks::returned, Circuit::tried, and those of a BreakUnit except
/// tail_due.
class Unit final : public BreakingUnit {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::forward_kill) | line_bit(ControlLine::backward_kill) |
      line_bit(ControlLine::acknowledgement) | line_bit(ControlLine::backtrack);
  static constexpr ControlLineSet kScoutingLines =
      line_bit(ControlLine::advance) | line_bit(ControlLine::reached);
  /// Throws KeyError if a router has too many ports for the history registers.
  static void require_few_ports(const Topology&);

  /// A head without a route does not wait.
  Unit(unsigned head_wait, AtBusy busy) : BreakingUnit(head_wait, 0), busy_(busy) {}
  /// Also of heads, while a port may get some that are older than a fault (expect_old_heads), and if they do
  /// not wait at busy channels.
  FlitHooks hooks() const override {
    return static_cast<FlitHooks>(waits() ? kStrayHook : kStrayHook | kHeadHook);
  }
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  /// A stray is a flit of a circuit that has been torn down here. So is a head at a port whose circuits have
  /// been cut: where one channel of a link is alive, flits sent before the fault may arrive on it.
  bool flit_arrived(Router&, Cycle, unsigned, const Flit&) override;
  void router_reset(Router&) override;
  void router_repaired(Router&) override;
  void evaluate(Router&, Cycle) override;
  bool timer_ends_wait(const Router& router, unsigned input_id) const override {
    return !waits() || BreakingUnit::timer_ends_wait(router, input_id);
  }

 private:
  /// The neighbour that a router tells about the end of a circuit.
  enum class Tell { before, after };

  /// No circuit may use a port while either of its channels is dead.
  void hold_dead_ports(Router&) const;
  /// True while some port refuses heads.
  bool expect_old_heads(Router&, Cycle) const;
  bool waits() const { return busy_ == AtBusy::wait; }
  /// Heads do not wait at busy channels: they turn back, or their circuits end. True while any head has no
  /// channel.
  bool turn_back_heads(Router&, Cycle);
  /// Every circuit that goes through the port.
  void cut_port(Router&, Cycle, unsigned port);
  /// Releases a circuit, discards its flits here and tells its source (`before`) or its destination.
  void tear_down(Router&, Cycle, unsigned input_id, Tell);
  /// A fault has cut the circuit, or leaves it no route.
  void cut(Router&, Cycle, unsigned input_id) override;
  void head_waited(BreakUnit&, Router&, Cycle, unsigned input_id, bool no_route) override;
  void killed_from_source(Router&, Cycle, unsigned input_id);
  void head_came_back(Router&, Cycle, unsigned input_id);

  AtBusy busy_;
};

}  // namespace flitmend::apcs
