// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/unit.h"

#include <optional>

#include "base/errors.h"
#include "rtl_tlm/network_interface.h"
#include "rtl_tlm/tail_signals.h"

namespace flitmend::sbrp {
namespace {

/// The head-copy register of an input virtual channel; nothing for a control message, which nobody asks for.
std::optional<CutMessage> from_head_copy(Router& router, unsigned id) {
  MessagePool& messages = router.context().messages;
  const MessageIndex index = router.state().head_copy(id).message;
  const Message& message = messages[index];
  if (message.kind == MessageKind::control) return std::nullopt;
  return CutMessage{.source = message.source,
                    .destination = message.destination,
                    .id = message.id,
                    .length = message.length,
                    .first = message.sub_message > 0 ? messages.fields(index).first : 0,
                    .sub_message = message.sub_message};
}

}  // namespace

void Unit::require_interfaces(const Topology& topology) {
  if (topology.router_count() == topology.node_count()) return;
  throw KeyError("recovery.protocol",
                 "sbrp-0 and sbrp-1 ask for cut messages through the network interface of the router before "
                 "the fault, and switches of this topology have none; take sbrp-2 or end-to-end",
                 {"network.topology"});
}

void Unit::channel_status_changed(Router& router, Cycle t, unsigned port, bool input_side, bool faulty) {
  if (faulty && input_side) {
    RouterState state = router.state();
    TailSignals::forget_upstream(state, port);
  } else if (faulty) {
    ask_for_lingering(router, t, port);
  }
  BreakUnit::channel_status_changed(router, t, port, input_side, faulty);
}

void Unit::ask_for_lingering(Router& router, Cycle t, unsigned port) {
  RouterState state = router.state();
  for (VcMask rest = state.tail_port(port).lingering; rest; rest &= rest - 1) {
    const unsigned output_id = port * state.vcs() + static_cast<unsigned>(std::countr_zero(rest));
    const TailShadow& shadow = state.tail_shadow(output_id);
    if (!shadow.control)
      tell_interface(router, t,
                     {.source = shadow.source,
                      .destination = shadow.destination,
                      .id = shadow.id,
                      .length = shadow.length,
                      .first = shadow.first,
                      .count = shadow.count,
                      .sub_message = shadow.sub_message});
    TailSignals::release(state, t, output_id);
  }
}

void Unit::message_cut(Router& router, Cycle t, unsigned id) {
  std::optional<CutMessage> message = from_head_copy(router, id);
  if (!message) return;
  message->count = router.state().input(id).flits_sent;
  tell_interface(router, t, *message);
}

}  // namespace flitmend::sbrp
