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
  }
  return sum;
}

std::uint64_t control_flits(const Fabric& fabric) {
  std::uint64_t sum = 0;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = fabric.router(r).state();
    for (const MechanismHooks* mechanism : state.layout().mechanisms)
      if (mechanism->control_flits) sum += mechanism->control_flits(state);
  }
  return sum;
}

}  // namespace flitmend
