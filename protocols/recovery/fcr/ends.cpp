// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/ends.h"

#include <algorithm>
#include <utility>

#include "protocols/recovery/control_message.h"
#include "protocols/recovery/originals.h"

namespace flitmend::fcr {

ReceivingEnd::ReceivingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters) {}

bool ReceivingEnd::forget(MessageIndex packet) {
  const auto at = std::find(arriving_.begin(), arriving_.end(), packet);
  if (at == arriving_.end()) return false;
  *at = arriving_.back();
  arriving_.pop_back();
  return true;
}

void ReceivingEnd::rest_killed(MessageIndex packet) {
  if (forget(packet)) context_.broken.piece_ended(packet);
}

void ReceivingEnd::router_failed() {
  for (const MessageIndex packet : std::exchange(arriving_, {})) context_.broken.piece_ended(packet);
}

void ReceivingEnd::clear() {
  finished_.clear();
  arriving_.clear();
}

void ReceivingEnd::data_consumed(Cycle t, MessageIndex index) {
  const Message& packet = context_.messages[index];
  if (packet.kind == MessageKind::control) return;
  if (finished_.empty()) finished_.resize(context_.topology.node_count());
  FinishedIds& finished = finished_[packet.source];
  finished.advance(context_.messages.fields(index).oldest);
  if (finished.has(packet.id)) {
    context_.recovery_counters.duplicate_flits += context_.messages[packet.original].length;
  } else {
    finished.add(packet.id);
    interface_.place(packet.original, 0, data_flits(context_.messages[packet.original].length));
    deliver_original(interface_, t, index);
  }
  if (parameters_.guard.acknowledgement == Guard::Acknowledgement::real)
    acknowledge(t, packet.source, packet.id);
}

void ReceivingEnd::acknowledge(Cycle t, NodeId source, std::uint32_t id) {
  const MessageIndex index = interface_.compose(source, kControlLength, MessageKind::control, t + 1);
  context_.messages.fields(index).sequence = id;
  context_.messages.fields(index).flits = Padding::first_pad(kControlLength);
  send_control(interface_, index);
}

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      sender_(interface, context, parameters_),
      receiver_(interface, context, parameters_),
      teardown_cycles_(parameters_.teardown_cycles(context.topology.diameter())) {}

// No packet of FCR has a broken tail.
void Ends::tail_consumed(Cycle t, MessageIndex packet, bool) {
  receiver_.tail_consumed(packet);
  if (context_.messages[packet].kind == MessageKind::control) {
    sender_.acknowledged(t, context_.messages.fields(packet).sequence);
    context_.messages.release(packet);
  } else {
    release_arrived(context_, packet);
  }
}

void Ends::spent(Cycle t, MessageIndex index) {
  const Message& message = context_.messages[index];
  if (message.kind != MessageKind::control && message.original == kNoMessage) {
    // An original from a dead node.
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
    return;
  }
  // A later fault can hit a virtual channel that the packet still holds, and then it is reported again.
  ProtocolFields& fields = context_.messages.fields(index);
  if (fields.closed) return;
  fields.closed = true;
  torn_down_.push({index, t + teardown_cycles_});
  interface_.stay_awake();
}

void Ends::evaluate(Cycle t) {
  for (; !torn_down_.empty() && torn_down_.front().gone <= t; torn_down_.pop()) {
    const MessageIndex packet = torn_down_.front().packet;
    if (context_.messages[packet].kind == MessageKind::control)
      context_.messages.release(packet);
    else
      sender_.packet_gone(t, packet);
  }
  sender_.evaluate(t);
}

void Ends::clear() {
  sender_.clear();
  receiver_.clear();
  torn_down_.clear();
}

}  // namespace flitmend::fcr
