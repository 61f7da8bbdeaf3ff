// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/apcs/ends.h"

#include <algorithm>
#include <utility>

#include "protocols/recovery/originals.h"

namespace flitmend::apcs {

SendingEnd::SendingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      messages_(context),
      random_(context.seed, RandomPurpose::recovery, interface.node()) {}

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
  ++entry.attempt;
  RecoveryCounters& counters = context_.recovery_counters;
  ++counters.retransmissions;
  counters.retransmitted_flits += context_.messages[entry.original].length;
  transmit(t, id, InjectionPriority::resend);
}

void SendingEnd::sent(Cycle t, MessageIndex packet) {
  Kept* const entry = messages_.find(context_.messages[packet].id);
  if (!entry || entry->packet != packet || !parameters_.guard.on()) return;
  messages_.set_due(*entry, t + parameters_.guard.wait(context_.messages[packet].length, entry->timeouts));
}

void SendingEnd::circuit_ended(Cycle t, MessageIndex packet, bool acknowledged) {
  const std::uint32_t id = context_.messages[packet].id;
  Kept* const entry = messages_.find(id);
  if (entry && acknowledged) {
    close(t, id);
  } else if (entry && entry->packet == packet) {
    entry->packet = kNoMessage;
    const std::uint32_t longest = parameters_.backoff(entry->kills);
    if (parameters_.retry_limit.reached(context_, interface_.node(), context_.messages[packet].destination,
                                        entry->kills++, false))
      close(t, id);
    else
      messages_.set_due(*entry, t + 1 + random_.below(longest));
  }
  // The flits of a packet that has been killed may still be in the network.
  if (!acknowledged)
    context_.broken.piece_ended(packet);
  else if (!context_.messages[packet].incomplete || !context_.messages.loss(packet).listed)
    release(t, packet);
}

void SendingEnd::packet_gone(Cycle t, MessageIndex packet) {
  if (context_.messages.fields(packet).holds_path) return;
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

void SendingEnd::timer_ended(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  const bool guard = entry.packet != kNoMessage;
  if (guard && !messages_.guard_again(entry, parameters_.guard))
    close(t, id);
  else
    resend(t, id);
}

void SendingEnd::close(Cycle t, std::uint32_t id) {
  const MessageIndex original = messages_.close(id, [this](MessageIndex next) { start(next); });
  settle_if_done(interface_, t, original);
}

void SendingEnd::node_died(Cycle t) {
  messages_.give_up([&](std::uint32_t id) { close(t, id); });
}

void SendingEnd::clear() {
  messages_.clear();
}

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      sender_(interface, context, parameters_) {}

void Ends::tail_consumed(Cycle t, MessageIndex packet, bool) {
  const Message& message = context_.messages[packet];
  if (finished_.empty()) finished_.resize(context_.topology.node_count());
  FinishedIds& finished = finished_[message.source];
  finished.advance(context_.messages.fields(packet).oldest);
  if (finished.has(message.id)) {
    context_.recovery_counters.duplicate_flits += message.received;
  } else {
    finished.add(message.id);
    interface_.place(message.original, 0, data_flits(message.length));
    deliver_original(interface_, t, packet);
  }
  if (message.incomplete) context_.broken.piece_ended(packet);
  interface_.acknowledge(t, packet);  // may release the packet
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (context_.messages[index].original == kNoMessage)  // an original from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
  else
    sender_.packet_gone(t, index);
}

void Ends::clear() {
  sender_.clear();
  finished_.clear();
}

}  // namespace flitmend::apcs
