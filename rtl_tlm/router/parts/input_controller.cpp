// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/router/parts/input_controller.h"

#include <boost/format.hpp>

namespace flitmend {

bool InputController::has_tail(const RouterState& state, unsigned id) {
  const InputVcState& vc = state.input(id);
  for (unsigned i = 0; i < vc.count; ++i)
    if (is_tail(state.input_buffer_at(id, static_cast<unsigned>((vc.first + i) % state.layout().input_slots))
                    .kind))
      return true;
  return false;
}

void InputController::overflow(RouterState state, Cycle t, unsigned port, const Flit& flit) {
  SC_REPORT_FATAL("flitmend/protocol",
                  (boost::format("%1%: input port %2%: cycle %3%: flit (%4%) sent into a full buffer of %5% "
                                 "flits: the sender had no credit") %
                   state.name() % port % t % flit % state.layout().input_buffer)
                      .str()
                      .c_str());
}

void InputController::orphan(RouterState state, Cycle t, unsigned port, const Flit& flit) {
  SC_REPORT_FATAL(
      "flitmend/protocol",
      (boost::format("%1%: input port %2%: cycle %3%: flit (%4%) in an idle virtual channel is not a head") %
       state.name() % port % t % flit)
          .str()
          .c_str());
}

}  // namespace flitmend
