// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/utp/ends.h"

namespace flitmend::utp {

// Nobody joins the parts of a control message: requests are repeated, and the guard sends again what was not
// acknowledged. A restarted rest is shorter than the message, unless nothing of it is missing.
void Ends::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  if (!is_control(packet))
    receiver_.tail_consumed(t, packet);
  else if (!broken && context_.messages[packet].length == sbrp::kControlLength)
    control_arrived(t, packet);
  context_.broken.piece_ended(packet);
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (!is_control(index) && context_.messages[index].original == kNoMessage) {  // from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
    return;
  }
  if (is_control(index)) sent(t, index);  // or it never left: its destination is dead
  hold(t, index);
}

// Routers keep copies until COPIED has arrived: some cycles longer than the flits themselves exist.
void Ends::hold(Cycle t, MessageIndex index) {
  ++context_.messages.fields(index).packets;
  spent_.push({index, t + context_.hardware.ring});
  interface_.stay_awake();
}

// A copy that was sent again in the meantime keeps the descriptor. It is spent once more when that has gone.
void Ends::release_spent(Cycle t) {
  for (; !spent_.empty() && spent_.front().due <= t; spent_.pop()) {
    const MessageIndex index = spent_.front().packet;
    ProtocolFields& fields = context_.messages.fields(index);
    if (--fields.packets > 0 || !context_.broken.ended(index)) continue;
    const MessageIndex first_part = fields.part_of;
    if (is_control(index))
      context_.messages.release(index);
    else
      sender_.packet_gone(t, index);
    if (first_part != kNoMessage && --context_.messages.fields(first_part).packets == 0 &&
        context_.broken.ended(first_part))
      hold(t, first_part);
  }
}

void Ends::clear() {
  sbrp::Ends::clear();
  spent_.clear();
}

}  // namespace flitmend::utp
