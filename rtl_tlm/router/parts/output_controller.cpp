// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {

unsigned OutputController::arbitrate_link(RouterState& state, Cycle t, unsigned port) {
  const LinkArbiter& arbiter = state.link_arbiter(port);
  return arbitrate_link(state, t, port, [&](VcMask ready) {
    return round_robin(ready, static_cast<unsigned>(arbiter.pointer));
  });
}

}  // namespace flitmend
