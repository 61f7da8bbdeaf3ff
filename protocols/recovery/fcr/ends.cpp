// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/ends.h"

#include <utility>

#include "protocols/recovery/originals.h"

namespace flitmend::fcr {

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
  if (std::exchange(context_.messages.fields(index).closed, true)) return;
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
