// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/output_controller.h"

namespace flitmend {

unsigned OutputController::arbitrate_link(RouterState& state, Cycle t, unsigned port) {
  return arbitrate_link(state, t, port, [](VcMask ready, unsigned next) { return round_robin(ready, next); });
}

}  // namespace flitmend
