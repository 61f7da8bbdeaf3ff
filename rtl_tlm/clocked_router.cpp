// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/clocked_router.h"

namespace flitmend {

ClockedRouter::ClockedRouter(sc_core::sc_module_name name, NetworkContext& context, RouterId id)
    : Router(name, context, id),
      clock("clock"),
      reset("reset"),
      in("in", port_count()),
      out("out", port_count()),
      context_(context) {
  SC_METHOD(on_clock);
  sensitive << clock.pos();
  dont_initialize();
}

void ClockedRouter::end_of_elaboration() {
  for (unsigned port = 0; port < port_count(); ++port) {
    if (in[port].size() > 0) connect_in(port, in[port]->channel());
    if (out[port].size() > 0) connect_out(port, out[port]->channel());
  }
}

void ClockedRouter::on_clock() {
  if (reset.size() > 0 && reset->read())
    clear();
  else
    evaluate(cycle_);
  context_.next_cycle = ++cycle_;
}

}  // namespace flitmend
