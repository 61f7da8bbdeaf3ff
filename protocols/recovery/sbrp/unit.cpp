// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/unit.h"

#include "base/errors.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/node/network_interface.h"

namespace flitmend::sbrp {
namespace {

/// A router's knowledge of a message that was cut: without a flit counter, not the number of flits that left.
CutMessage known(const RouterState& state, CutMessage message) {
  if (!state.layout().flit_counters) message.count = 0;
  return message;
}

}  // namespace

void Unit::require_interfaces(const Topology& topology) {
  for (RouterId r = topology.node_count(); r < topology.router_count(); ++r) {
    bool node = false;
    for (PortId port = 0; port < topology.port_count(r); ++port)
      if (const auto far = topology.neighbour(r, port); far && !topology.is_switch(far->router)) node = true;
    if (node) continue;
    throw KeyError("recovery.protocol",
                   "sbrp-0 and sbrp-1 ask for cut messages through the network interface of the router "
                   "before the fault, or of a node next to a switch, and " +
                       topology.router_name(r) + " has no node next to it; use sbrp-2 or end-to-end",
                   {"network.topology"});
  }
}

void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (faulty && input_side) {
    RouterState state = router.state();
    TailSignals::forget_upstream(state, port);
  } else if (faulty) {
    ask_for_lingering(router, t, port);
  }
  break_.channel_status_changed(router, t, port, input_side, faulty);
}

void Unit::ask_for_lingering(Router& router, Cycle t, unsigned port) {
  RouterState state = router.state();
  for (VcMask rest = TailSignals::at_port(state, port).lingering; rest; rest &= rest - 1) {
    const unsigned output_id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
    const TailShadow& shadow = TailSignals::shadow(state, output_id);
    if (!shadow.control) break_.ask(router, t, known(state, shadow.packet));
    TailSignals::release(state, t, output_id);
  }
}

void Unit::cut(Router& router, Cycle t, unsigned id) {
  BreakUnit::count_cut(router, t, id);
  const RouterState& state = router.state();
  const MessagePool& messages = router.context().messages;
  const MessageIndex packet = state.head_copy(id).message;
  if (messages[packet].kind != MessageKind::control)  // nobody asks for a control message
    break_.ask(router, t, known(state, cut_message(messages, packet, state.input(id).flits_sent)));
  router.absorb(t, id);
}

}  // namespace flitmend::sbrp
