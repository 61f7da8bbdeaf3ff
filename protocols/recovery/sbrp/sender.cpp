// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/sender.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "protocols/recovery/control_message.h"
#include "protocols/recovery/originals.h"

namespace flitmend::sbrp {

SendingEnd::SendingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters), messages_(context) {}

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
  const std::uint32_t length = parameters_.packet_length(original.length, entry.sub_message, entry.first);
  entry.packet = interface_.compose(original.destination, length, original.kind, t);
  entry.due = kNever;
  Message& packet = context_.messages[entry.packet];
  packet.original = entry.original;
  packet.id = id;
  packet.sub_message = entry.sub_message;
  packet.injected = kNever;
  ProtocolFields& fields = context_.messages.fields(entry.packet);
  fields.first = entry.first;
  fields.oldest = messages_.first();
  ++context_.messages.fields(entry.original).packets;
  interface_.push(entry.packet, priority);
}

void SendingEnd::resend(Cycle t, std::uint32_t id, std::uint32_t first) {
  Kept& entry = messages_[id];
  const Message& original = context_.messages[entry.original];
  if (entry.packet != kNoMessage && context_.messages[entry.packet].injected == kNever) {
    // It has not left yet, so it can still start earlier; or its destination has died, and it never leaves.
    Message& packet = context_.messages[entry.packet];
    if (packet.incomplete || first >= entry.first) return;
    entry.first = context_.messages.fields(entry.packet).first = first;
    packet.length = parameters_.packet_length(original.length, entry.sub_message, first);
    return;
  }
  if (entry.sub_message == std::numeric_limits<std::uint16_t>::max()) {
    close(t, id);
    return;
  }
  if (entry.packet != kNoMessage) interface_.injector.cut_short(entry.packet);
  ++entry.sub_message;
  entry.first = first;
  ++context_.recovery_counters.retransmissions;
  context_.recovery_counters.retransmitted_flits +=
      parameters_.packet_length(original.length, entry.sub_message, first);
  transmit(t, id, InjectionPriority::resend);
}

void SendingEnd::guard(Cycle t, Kept& entry) {
  messages_.set_due(entry, t + parameters_.guard.wait(sending_cycles(entry), entry.timeouts));
}

void SendingEnd::sent(Cycle t, MessageIndex packet) {
  Kept* const entry = messages_.find(context_.messages[packet].id);
  if (!entry || entry->packet != packet) return;
  entry->packet = kNoMessage;
  entry->sent = t;
  guard(t, *entry);
}

void SendingEnd::request(Cycle t, const Request& request) {
  inbox_.push({request, interface_.node(), 0, true, t + parameters_.receive});
  interface_.stay_awake();
}

void SendingEnd::request_arrived(Cycle t, MessageIndex index) {
  const Message& message = context_.messages[index];
  const ProtocolFields& fields = context_.messages.fields(index);
  Received received;
  received.request.cut.source = interface_.node();
  received.request.cut.id = fields.sequence;
  received.request.cut.first = fields.first;
  received.request.cut.count = fields.flits;
  received.request.cut.sub_message = message.sub_message;
  received.request.cut.no_route = fields.flags & kNoRoute;
  received.request.silent = fields.flags & kSilent;
  received.requester = message.source;
  received.number = fields.request;
  received.due = t + parameters_.receive;
  inbox_.push(received);
  interface_.stay_awake();
}

void SendingEnd::answer(Cycle t, const Received& received, bool finished) {
  const MessageIndex index = interface_.compose(received.requester, kControlLength, MessageKind::control, t);
  ProtocolFields& fields = context_.messages.fields(index);
  fields.control = kAcknowledgement;
  fields.request = received.number;
  fields.flags = finished ? kFinished : 0;
  send_control(interface_, index);
}

// A later sub-message that starts at or before the requested flit covers the request. If nothing has reached
// the receiver for a long time, a later sub-message is lost too, unless it left recently.
bool SendingEnd::covered(Cycle t, const Kept& entry, const Request& request, std::uint32_t first) const {
  if (request.cut.sub_message >= entry.sub_message || entry.first > first) return false;
  if (!request.silent || entry.packet != kNoMessage) return true;
  const Cycle silence = parameters_.ask_timeout + 2 * sending_cycles(entry);
  return t < entry.sent + silence;
}

bool SendingEnd::handle(Cycle t, const Request& request) {
  const std::uint32_t id = request.cut.id;
  Kept* const entry = messages_.find(id);
  if (!entry) return false;
  const std::uint32_t all = data_flits(context_.messages[entry->original].length);
  const std::uint32_t first =
      std::min(parameters_.restart(request.cut, context_.hardware.flits_between()), all);
  if (entry->postponed) {
    entry->sub_message = std::max(entry->sub_message, request.cut.sub_message);
    entry->next_first = std::min(entry->next_first, first);
    return true;
  }
  if (covered(t, *entry, request, first)) {
    if (entry->packet == kNoMessage) guard(t, *entry);
    return true;
  }
  if (request.cut.no_route &&
      parameters_.retry_limit.reached_without_route(
          context_, interface_.node(), context_.messages[entry->original].destination, ++entry->no_route)) {
    close(t, id);
    return false;
  }
  const bool queued = entry->packet != kNoMessage && context_.messages[entry->packet].injected == kNever;
  const bool later = request.cut.no_route && entry->no_route > kHeadsBeforeQuestion && !queued;
  // A router that restarts a message (UTP) has raised the SSNF too.
  if (entry->packet == kNoMessage || later)
    entry->sub_message = std::max(entry->sub_message, request.cut.sub_message);
  if (later)
    postpone(t, *entry, first);
  else
    resend(t, id, first);
  return true;
}

void SendingEnd::postpone(Cycle t, Kept& entry, std::uint32_t first) {
  if (entry.packet != kNoMessage) interface_.injector.cut_short(std::exchange(entry.packet, kNoMessage));
  entry.postponed = true;
  entry.next_first = first;
  messages_.set_due(entry, t + (parameters_.repeat_timeout
                                << doublings_without_route(entry.no_route, parameters_.most_doublings)));
}

void SendingEnd::timer_ended(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  if (std::exchange(entry.postponed, false))
    resend(t, id, entry.next_first);
  else
    guard_timeout(t, id);
}

void SendingEnd::acknowledged(Cycle t, std::uint32_t id) {
  if (messages_.find(id)) close(t, id);
}

void SendingEnd::guard_timeout(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  if (!parameters_.guard.on()) {
    context_.messages.fields(entry.original).forgotten =
        connected(context_, interface_.node(), context_.messages[entry.original].destination);
    close(t, id);
    return;
  }
  if (messages_.guard_again(entry, parameters_.guard))
    resend(t, id, 0);
  else
    close(t, id);
}

void SendingEnd::receive_requests(Cycle t) {
  while (!inbox_.empty() && inbox_.front().due <= t) {
    const Received received = inbox_.front();
    inbox_.pop();
    const bool kept = handle(t, received.request);
    if (!received.own) answer(t, received, !kept);
  }
}

void SendingEnd::close(Cycle t, std::uint32_t id, Cycle known) {
  const bool arrived = messages_[id].arrived;
  arrived_ -= arrived;
  context_.copies_of_delivered -= arrived;
  const MessageIndex original = messages_.close(
      id, [this](MessageIndex next) { start(next); }, known);
  settle_if_done(interface_, t, original);
}

void SendingEnd::notice(Cycle t, MessageIndex original) {
  ProtocolFields& fields = context_.messages.fields(original);
  --fields.packets;
  const std::uint32_t id = context_.messages[original].id;
  Kept* const entry = messages_.find(id);
  if (!entry || entry->original != original) {
    settle_if_done(interface_, t, original);
    return;
  }
  if (!fields.delivered || entry->arrived) return;
  context_.recovery_counters.guard_repaired += context_.messages[original].guarded;
  if (parameters_.guard.assumed()) {
    close(t, id, t + 1 + answer_cycles(t, *entry));
  } else if (!parameters_.guard.on()) {
    entry->arrived = true;
    ++arrived_;
    ++context_.copies_of_delivered;
  }
}

// The return trip takes as long as the last flit's trip there.
Cycle SendingEnd::answer_cycles(Cycle t, const Kept& entry) const {
  const Cycle idle = acknowledgement_cycles(context_, context_.messages[entry.original].destination,
                                            interface_.node(), kControlLength);
  const Cycle way = entry.packet == kNoMessage ? t - entry.sent : 0;
  return std::max(idle, way + context_.hardware.sending_cycles(kControlLength - 1));
}

void SendingEnd::packet_gone(Cycle t, MessageIndex packet) {
  const Message& message = context_.messages[packet];
  const MessageIndex original = message.original;
  const std::uint32_t id = message.id;
  const bool dead = context_.node_dead(message.destination);
  context_.messages.release(packet);
  --context_.messages.fields(original).packets;
  if (dead && messages_.find(id))
    close(t, id);
  else
    settle_if_done(interface_, t, original);
}

void SendingEnd::node_died(Cycle t) {
  messages_.give_up([&](std::uint32_t id) { close(t, id); });
  inbox_.clear();
}

void SendingEnd::clear() {
  messages_.clear();
  context_.copies_of_delivered -= std::exchange(arrived_, 0);
  inbox_.clear();
}

}  // namespace flitmend::sbrp
