// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/router_state.h"

namespace flitmend {

/// Kill lines [Kim97]: FKILL follows the flits of a message and tears it down at the routers that it leaves
/// behind it; BKILL goes back to its source. Static functions on a router's registers; they exist only with
/// HardwareParameters::padding.
class Kills {
 public:
  /// BKILL that arrives earlier is not meant for the message that has the output virtual channel now.
  static Cycle& heeded_from(RouterState& state, unsigned output_id) {
    return state.row<rows::KillTimers>()[output_id];
  }
  static const Cycle& heeded_from(const RouterState& state, unsigned output_id) {
    return state.row<rows::KillTimers>()[output_id];
  }
  /// Cycles of FKILL to the next router and BKILL back.
  static Cycle round_trip(const RouterShape& shape) {
    const HardwareParameters& hardware = shape.context.hardware;
    return hardware.forward_signal_cycles() + hardware.link_credit_latency();
  }
};

}  // namespace flitmend
