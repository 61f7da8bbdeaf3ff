// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/tail_waits.h"

#include "rtl_tlm/fabric/fabric.h"

namespace flitmend {

TailWaits tail_waits(const Fabric& fabric) {
  TailWaits sum;
  if (!fabric.context().hardware.tail_shadows) return sum;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r) {
    const RouterState& state = fabric.router(r).state();
    for (unsigned w = 0; w < state.layout().vc_words; ++w) {
      sum.tails += state.tail_gates(w).waits;
      sum.cycles += state.tail_gates(w).cycles;
    }
  }
  for (NodeId node = 0; node < fabric.node_count(); ++node) {
    const Injector& injector = fabric.network_interface(node).injector;
    sum.tails += injector.tail_waits();
    sum.cycles += injector.tail_wait_cycles();
  }
  return sum;
}

}  // namespace flitmend
