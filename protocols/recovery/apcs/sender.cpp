// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/apcs/sender.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "protocols/recovery/originals.h"

namespace flitmend::apcs {

SendingEnd::SendingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      messages_(context),
      random_(context.seed, RandomPurpose::recovery, interface.node()) {}

void SendingEnd::set_due(Kept& entry, Cycle due) {
  entry.due = due;
  next_due_ = std::min(next_due_, due);
}

void SendingEnd::send(MessageIndex original) {
  if (messages_.keep(original)) start(original);
}

void SendingEnd::start(MessageIndex original) {
  const Message& message = context_.messages[original];
  transmit(std::max(message.created, context_.next_cycle), message.id, InjectionPriority::fresh);
}

void SendingEnd::transmit(Cycle t, std::uint32_t id, InjectionPriority priority) {
  Kept& entry = messages_[id];
  const Message& original = context_.messages[entry.original];
  entry.packet = interface_.compose(original.destination, original.length, original.kind, t);
  entry.due = kNever;
  Message& packet = context_.messages[entry.packet];
  packet.original = entry.original;
  packet.id = id;
  packet.sub_message = entry.attempt;
  context_.messages.fields(entry.packet).oldest = messages_.first();
  ++context_.messages.fields(entry.original).packets;
  interface_.push(entry.packet, priority);
}

void SendingEnd::resend(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  if (entry.attempt == std::numeric_limits<std::uint16_t>::max()) {
    close(t, id);
    return;
  }
  ++entry.attempt;
  RecoveryCounters& counters = context_.recovery_counters;
  ++counters.retransmissions;
  counters.retransmitted_flits += context_.messages[entry.original].length;
  transmit(t, id, InjectionPriority::resend);
}

void SendingEnd::sent(Cycle t, MessageIndex packet) {
  Kept* const entry = messages_.find(context_.messages[packet].id);
  if (!entry || entry->packet != packet || !parameters_.guard.on()) return;
  set_due(*entry, t + parameters_.guard.wait(context_.messages[packet].length, entry->timeouts));
}

void SendingEnd::circuit_ended(Cycle t, MessageIndex packet, bool acknowledged) {
  const std::uint32_t id = context_.messages[packet].id;
  Kept* const entry = messages_.find(id);
  if (entry && acknowledged) {
    close(t, id);
  } else if (entry && entry->packet == packet) {
    entry->packet = kNoMessage;
    const std::uint32_t longest = parameters_.backoff(entry->kills);
    if (context_.node_dead(context_.messages[packet].destination) || ++entry->kills > parameters_.retry_limit)
      close(t, id);
    else
      set_due(*entry, t + 1 + random_.below(longest));
  }
  // The flits of a packet that has been killed may still be in the network.
  if (!acknowledged)
    context_.broken.piece_ended(packet);
  else if (!context_.messages[packet].incomplete || !context_.messages.loss(packet).listed)
    release(t, packet);
}

void SendingEnd::packet_gone(Cycle t, MessageIndex packet) {
  if (context_.messages.fields(packet).on_circuit) return;
  const std::uint32_t id = context_.messages[packet].id;
  const Kept* const entry = messages_.find(id);
  const bool never_left = entry && entry->packet == packet;  // its destination is dead
  release(t, packet);
  if (never_left) close(t, id);
}

void SendingEnd::release(Cycle t, MessageIndex packet) {
  const MessageIndex original = std::exchange(context_.messages[packet].original, kNoMessage);
  context_.messages.release(packet);
  --context_.messages.fields(original).packets;
  settle_if_done(interface_, t, original);
}

void SendingEnd::notice(Cycle t, MessageIndex original) {
  --context_.messages.fields(original).packets;
  context_.recovery_counters.guard_repaired += context_.messages[original].guarded;
  settle_if_done(interface_, t, original);
}

void SendingEnd::guard_timeout(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  if (context_.node_dead(context_.messages[entry.original].destination) ||
      entry.timeouts >= parameters_.guard.retry_limit) {
    close(t, id);
    return;
  }
  count_guard_timeout(context_, entry.original);
  ++entry.timeouts;
  resend(t, id);
}

void SendingEnd::expire_timers(Cycle t) {
  next_due_ = kNever;
  for (std::uint32_t id = messages_.first(), end = messages_.end(); id != end; ++id) {
    Kept* entry = messages_.find(id);
    if (!entry) continue;
    if (entry->due <= t) {
      if (entry->packet == kNoMessage)
        resend(t, id);
      else
        guard_timeout(t, id);
      entry = messages_.find(id);
    }
    if (entry) next_due_ = std::min(next_due_, entry->due);
  }
}

void SendingEnd::close(Cycle t, std::uint32_t id) {
  const MessageIndex original = messages_.close(id);
  for (MessageIndex next = messages_.keep_waiting(); next != kNoMessage; next = messages_.keep_waiting())
    start(next);
  settle_if_done(interface_, t, original);
}

void SendingEnd::node_died(Cycle t) {
  messages_.discard_waiting();
  for (std::uint32_t id = messages_.first(), end = messages_.end(); id != end; ++id)
    if (messages_.find(id)) close(t, id);
}

void SendingEnd::clear() {
  messages_.clear();
  next_due_ = kNever;
}

}  // namespace flitmend::apcs
