// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <utility>

#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend {

void Circuits::release_paths(RouterState& state, Cycle t) {
  const auto local = static_cast<unsigned>(state.layout().local_port);
  if (local == RouterShape::kNoPort) return;
  CircuitPort& circuits = port(state, local);
  if (circuits.backward() == 0) return;
  const VcMask acknowledged = std::exchange(circuits.acknowledgements, 0);
  for (VcMask rest = acknowledged | std::exchange(circuits.kills, 0); rest; rest &= rest - 1)
    state.header().interface->path_released(t, static_cast<unsigned>(std::countr_zero(rest)),
                                            acknowledged & rest & -rest);
}

}  // namespace flitmend
