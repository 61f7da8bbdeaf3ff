// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"
#include "rtl_tlm/interfaces/interface_recovery.h"

namespace flitmend::sbrp {

/// The router's part of SBRP-0 and SBRP-1 [SBRP]: it asks for the messages that the next router has cut, by
/// telling its own network interface (InterfaceRecovery::message_cut). Messages whose tail has
/// left are in shadow registers (TailSignals).
class Unit final : public BreakingUnit {
 public:
  static constexpr ControlLineSet kControlLines =
      BreakUnit::kControlLines | line_bit(ControlLine::tail_received) | line_bit(ControlLine::tail_gone);
  /// Throws KeyError if a switch has no node next to it: nobody could ask there.
  static void require_interfaces(const Topology&);

  using BreakingUnit::BreakingUnit;
  void channel_status_changed(Router&, Cycle, unsigned port, bool input_side, bool faulty) override;

 private:
  void cut(Router&, Cycle, unsigned input_id) override;
  /// The messages in the shadow registers of a dead port.
  void ask_for_lingering(Router&, Cycle, unsigned port);
};

}  // namespace flitmend::sbrp
