// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/utp/ends.h"

namespace flitmend::utp {

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const sbrp::Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      sender_(interface, context, parameters_),
      receiver_(interface, context, parameters_) {}

void Ends::sent(Cycle t, MessageIndex packet) {
  if (!is_control(packet)) sender_.sent(t, packet);
}

void Ends::head_consumed(MessageIndex packet) {
  if (!is_control(packet)) receiver_.head_consumed(packet);
}

// Nobody joins the parts of a control message: the guard sends again what it was about.
void Ends::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  if (!is_control(packet))
    receiver_.tail_consumed(t, packet);
  else if (!broken && context_.messages.fields(packet).first == 0)
    sender_.acknowledged(t, context_.messages.fields(packet).sequence);
  context_.broken.piece_ended(packet);
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (!is_control(index) && context_.messages[index].original == kNoMessage)  // from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
  else
    hold(t, index);
}

// Routers keep copies until COPIED has come: some cycles longer than the flits themselves exist.
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

void Ends::message_cut(Cycle t, const CutMessage& cut) {
  if (cut.source == interface_.node()) sender_.request(t, {cut, false});
}

void Ends::node_died(Cycle t) {
  sender_.node_died(t);
  receiver_.clear();
}

bool Ends::evaluate(Cycle t) {
  release_spent(t);
  receiver_.evaluate(t);
  sender_.evaluate(t);
  return busy();
}

void Ends::clear() {
  sender_.clear();
  receiver_.clear();
  spent_.clear();
}

}  // namespace flitmend::utp
