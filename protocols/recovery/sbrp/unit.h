// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/sbrp/switch_requests.h"
#include "rtl_tlm/interfaces/interface_recovery.h"

namespace flitmend::sbrp {

/// The router's part of SBRP-0 and SBRP-1 [SBRP]: it asks for the messages that the next router has cut, by
/// telling its own network interface (InterfaceRecovery::message_cut). Messages whose tail has
/// left are in shadow registers (TailSignals). A switch has no interface: it hands its requests to a node
/// next to it, whose router tells its interface.
class Unit final : public RouterRecovery, private CutHandling {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::tail_received) | line_bit(ControlLine::tail_gone);
  /// Throws KeyError if a switch has no node next to it: nobody could ask there.
  static void require_interfaces(const Topology&);

  /// Adds the wires over which switches hand over their requests.
  static void equip(HardwareParameters&, const Topology&);

  /// Those of requests between switches and nodes.
  static UnitRegisters registers();

  Unit(unsigned head_wait, Router&);
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;
  void control_arrived(Router&, Cycle, unsigned port, bool input_side) override;
  void router_reset(Router&) override;
  void router_failed(Router&) override;
  void router_repaired(Router& router) override { break_.router_repaired(router); }
  bool has_requests(const Router& router) const override { return handing_over_.has_work(router); }
  void evaluate(Router&, Cycle) override;
  bool timer_ends_wait(const Router& router, unsigned id) const override {
    return break_.timer_ends_wait(router, id);
  }

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  void head_waited(Router&, Cycle, unsigned input_id, bool no_way) override;
  void ask(Router&, Cycle, const CutMessage&);
  /// The messages in the shadow registers of a dead port.
  void ask_for_lingering(Router&, Cycle, unsigned port);
  void forget_requests();

  BreakUnit break_;
  HandingOver handing_over_;  ///< used in a switch
  TakingOver taking_over_;    ///< used in the router of a node
};

}  // namespace flitmend::sbrp
