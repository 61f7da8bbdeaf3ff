// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/control_line_pulses.h"

#include "rtl_tlm/fabric/circuit_flits.h"
#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

ControlLinePulses control_line_pulses(const Fabric& fabric) {
  ControlLinePulses sum{};
  const auto of = [&](ControlLine line) -> std::uint64_t& { return sum[static_cast<unsigned>(line)]; };
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    for (PortId port = 0; port < fabric.topology().port_count(r); ++port)
      if (const Channel* const channel = fabric.channel(r, port))
        for (unsigned line = 0; line < kControlLines; ++line)
          sum[line] += channel->pulses(static_cast<ControlLine>(line));
    const RouterState& state = fabric.router(r).state();
    if (fabric.context().hardware.kill_lines) of(ControlLine::pad) += state.pads_arrived();
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      if (state.layout().tail_shadows) {
        of(ControlLine::tail_received) += state.tail_gates(w).received;
        of(ControlLine::tail_gone) += state.tail_gates(w).gone;
      }
      if (state.layout().keeps_copies) of(ControlLine::copied) += state.copy_masks(w).signals;
    }
  }
  // Acknowledgements of circuits arrive in masks too. The other control flits of circuits are counted above.
  if (fabric.context().hardware.complementary_channels())
    of(ControlLine::acknowledgement) = circuit_flits(fabric) - of(ControlLine::backward_kill) -
                                       of(ControlLine::forward_kill) - of(ControlLine::backtrack) -
                                       of(ControlLine::advance) - of(ControlLine::reached);
  return sum;
}

}  // namespace flitmend
