// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/utp/unit.h"

#include "rtl_tlm/mechanisms/copies/copies.h"

namespace flitmend::utp {

void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (input_side && faulty) {
    RouterState state = router.state();
    for (unsigned vc = 0; vc < state.vcs(); ++vc) Copies::end_renaming(state, port * state.vcs() + vc);
  }
  break_.channel_status_changed(router, t, port, input_side, faulty);
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  router.context().broken.hit(router.state().head_copy(id).message, t);
  router.restart(t, id);
}

bool Unit::end_backups(Router& router, Cycle t) {
  const RouterState& state = router.state();
  bool any = false;
  for (unsigned id = 0; id < state.ids(); ++id) {
    if (state.route_fsm(id) != RouteFsm::backup) continue;
    if (t < state.route(id).ready)
      any = true;
    else
      router.end_backup(t, id);
  }
  return any;
}

void Unit::evaluate(Router& router, Cycle t) {
  break_.evaluate(router, t);
  if (end_backups(router, t)) router.set_recovery_active(true);
}

}  // namespace flitmend::utp
