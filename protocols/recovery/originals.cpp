// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/originals.h"

namespace flitmend {

void deliver_original(NetworkInterface& interface, Cycle t, MessageIndex packet) {
  NetworkContext& context = interface.context();
  const MessageIndex original = context.messages[packet].original;
  context.messages[original].hops = context.messages[packet].hops;
  ProtocolFields& fields = context.messages.fields(original);
  fields.delivered = true;
  ++fields.packets;  // for the notice to the sender
  context.delivered.push_back(original);
  interface.deliver(original, t);
}

void release_arrived(NetworkContext& context, MessageIndex packet) {
  const MessageIndex original = context.messages[packet].original;
  context.messages.release(packet);
  ProtocolFields& fields = context.messages.fields(original);
  if (--fields.packets > 0 || !fields.closed) return;
  ++fields.packets;
  context.delivered.push_back(original);
}

void settle_if_done(NetworkInterface& interface, Cycle t, MessageIndex original) {
  MessagePool& messages = interface.context().messages;
  const ProtocolFields& fields = messages.fields(original);
  if (!fields.closed || fields.packets > 0) return;
  if (fields.delivered)
    messages.release(original);
  else
    interface.settle(original, t, !fields.forgotten);
}

void count_guard_timeout(NetworkContext& context, MessageIndex original) {
  const ProtocolFields& fields = context.messages.fields(original);
  if (fields.packets > 0 || fields.delivered) {
    ++context.recovery_counters.guard_spurious;
  } else if (!context.messages[original].guarded) {
    context.messages[original].guarded = true;
    ++context.recovery_counters.detected_losses;
  }
}

}  // namespace flitmend
