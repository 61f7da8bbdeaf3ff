// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/control_line_pulses.h"

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

ControlLinePulses control_line_pulses(const Fabric& fabric) {
  ControlLinePulses sum{};
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    for (PortId port = 0; port < fabric.topology().port_count(r); ++port)
      if (const Channel* const channel = fabric.channel(r, port))
        for (unsigned line = 0; line < kControlLines; ++line)
          sum[line] += channel->pulses(static_cast<ControlLine>(line));
    const RouterState& state = fabric.router(r).state();
    for (const MechanismHooks* mechanism : state.layout().mechanisms)
      if (mechanism->add_pulses) mechanism->add_pulses(state, sum);
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      if (state.layout().tail_shadows) {
        of(ControlLine::tail_received) += state.tail_gates(w).received;
        of(ControlLine::tail_gone) += state.tail_gates(w).gone;
      }
      if (state.layout().keeps_copies) of(ControlLine::copied) += state.copy_masks(w).signals;
    }
  }
  return sum;
}

}  // namespace flitmend
