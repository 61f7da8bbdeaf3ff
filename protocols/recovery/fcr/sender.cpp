// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/fcr/sender.h"

#include <algorithm>

#include "base/backoff.h"
#include "protocols/recovery/originals.h"

namespace flitmend::fcr {
namespace {

/// Messages that stall each other get past one another only if one starts early enough. The random wait
/// grows until it can be that long, whatever the links.
constexpr unsigned kStallsBeforeDoubling = 16, kMostDoublings = 10;

}  // namespace

SendingEnd::SendingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      messages_(context),
      random_(context.seed, RandomPurpose::recovery, interface.node()) {}

/// The message of a packet that is its latest; null for any other packet.
SendingEnd::Kept* SendingEnd::sending(MessageIndex packet) {
  if (context_.messages[packet].original == kNoMessage) return nullptr;
  Kept* const entry = messages_.find(context_.messages[packet].id);
  return entry && entry->packet == packet ? entry : nullptr;
}

std::uint32_t SendingEnd::padded(const Message& original) const {
  return parameters_.padding.padded(original.length,
                                    context_.topology.distance(original.source, original.destination));
}

void SendingEnd::send(MessageIndex original) {
  if (messages_.keep(original)) start(original);
}

void SendingEnd::start(MessageIndex original) {
  const Message& message = context_.messages[original];
  context_.recovery_counters.padding_flits += padded(message) - message.length;
  transmit(std::max(message.created, context_.next_cycle), message.id, InjectionPriority::fresh);
}

void SendingEnd::transmit(Cycle t, std::uint32_t id, InjectionPriority priority) {
  Kept& entry = messages_[id];
  const MessageIndex index = entry.original;
  const std::uint32_t length = padded(context_.messages[index]);
  const MessageIndex packet =
      interface_.compose(context_.messages[index].destination, length, context_.messages[index].kind, t);
  context_.messages[packet].original = index;
  context_.messages[packet].id = id;
  context_.messages[packet].sub_message = entry.attempts;
  ProtocolFields& fields = context_.messages.fields(packet);
  fields.flits = Padding::first_pad(context_.messages[index].length);
  fields.oldest = messages_.first();
  ++context_.messages.fields(index).packets;
  entry.packet = packet;
  entry.sent = false;
  entry.due = kNever;
  interface_.push(packet, priority);
}

void SendingEnd::resend(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  ++entry.attempts;
  RecoveryCounters& counters = context_.recovery_counters;
  ++counters.retransmissions;
  counters.retransmitted_flits += padded(context_.messages[entry.original]);
  transmit(t, id, InjectionPriority::resend);
}

void SendingEnd::wait(Cycle t, Kept& entry, unsigned vc, std::uint32_t longest) {
  entry.packet = kNoMessage;
  messages_.set_due(entry, t + 1 + random_.below(longest));
  interface_.injector.rest(vc, entry.due);
  interface_.stay_awake();
}

// The processing elements' replies serve as the acknowledgement: they take effect when the tail has
// left, never before, so that nothing on the wires depends on them.
void SendingEnd::sent(Cycle t, MessageIndex packet) {
  Kept* const entry = sending(packet);
  if (!entry) return;
  const std::uint32_t id = context_.messages[packet].id;
  const bool delivered = context_.messages.fields(entry->original).delivered;
  entry->packet = kNoMessage;
  entry->sent = true;
  const Guard& guard = parameters_.guard;
  const bool certain = !guard.on() || (guard.assumed() && delivered);
  if (certain || entry->acknowledged) {
    context_.messages.fields(entry->original).forgotten = true;
    close(t, id, entry->acknowledgement);
    return;
  }
  messages_.set_due(*entry, t + guard.wait(context_.messages[entry->original].length, entry->timeouts));
}

void SendingEnd::killed(Cycle t, MessageIndex packet, unsigned vc, bool no_route) {
  Kept* const entry = sending(packet);
  if (!entry) return;
  const std::uint32_t id = context_.messages[packet].id;
  entry->no_route += no_route;
  const Guard& guard = parameters_.guard;
  const NodeId destination = context_.messages[packet].destination;
  const unsigned doublings = doublings_without_route(entry->no_route, 2 * guard.most_doublings);
  if (entry->acknowledged || context_.node_dead(destination) ||
      (no_route &&
       guard.retry_limit.reached_without_route(context_, interface_.node(), destination, entry->no_route)))
    close(t, id);
  else
    wait(t, *entry, vc, doubled(parameters_.fault_backoff, doublings));
}

bool SendingEnd::timer_ends_wait(MessageIndex packet) const {
  const Injector& injector = interface_.injector;
  for (unsigned vc = 0; vc < context_.hardware.router.virtual_channels; ++vc)
    if (injector.sending(vc) == packet && injector.next_flit(vc) > 0) return true;
  return false;
}

void SendingEnd::time_out(Cycle t) {
  next_timeout_ = t + parameters_.timeout_of(1);
  Injector& injector = interface_.injector;
  for (unsigned vc = 0; vc < context_.hardware.router.virtual_channels; ++vc) {
    const MessageIndex packet = injector.sending(vc);
    if (packet == kNoMessage || injector.next_flit(vc) == 0) continue;
    const Cycle limit = parameters_.timeout_of(context_.messages[packet].length);
    const Cycle elapsed = injector.elapsed(vc, t);
    if (elapsed < limit) {
      next_timeout_ = std::min(next_timeout_, t + (limit - elapsed));
      continue;
    }
    injector.tear_down(t, vc, ControlLine::forward_kill);
    ++context_.recovery_counters.timeouts;
    Kept* const entry = sending(packet);
    if (!entry) continue;
    const unsigned doublings = backoff_doublings(++entry->stalls, 0, kStallsBeforeDoubling);
    wait(t, *entry, vc, doubled(parameters_.timeout_backoff, std::min(doublings, kMostDoublings)));
  }
}

void SendingEnd::acknowledged(Cycle t, std::uint32_t id) {
  Kept* const entry = messages_.find(id);
  if (!entry) return;
  entry->acknowledged = true;
  if (entry->packet == kNoMessage) close(t, id);
}

void SendingEnd::timer_ended(Cycle t, std::uint32_t id) {
  Kept& entry = messages_[id];
  const bool guard = entry.sent;
  if (guard && !messages_.guard_again(entry, parameters_.guard))
    close(t, id);
  else
    resend(t, id);
}

void SendingEnd::close(Cycle t, std::uint32_t id, Cycle known) {
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
  if (!fields.delivered) return;
  context_.recovery_counters.guard_repaired += context_.messages[original].guarded;
  if (!parameters_.guard.assumed()) return;
  entry->acknowledgement = t + 1 +
                           acknowledgement_cycles(context_, context_.messages[original].destination,
                                                  interface_.node(), kControlLength);
  if (entry->sent) close(t, id, entry->acknowledgement);
}

void SendingEnd::packet_gone(Cycle t, MessageIndex packet) {
  const Message& message = context_.messages[packet];
  const MessageIndex original = message.original;
  const std::uint32_t id = message.id;
  const bool dead = context_.node_dead(message.destination) && sending(packet);
  context_.messages.release(packet);
  --context_.messages.fields(original).packets;
  if (dead)
    close(t, id);  // it never left
  else
    settle_if_done(interface_, t, original);
}

void SendingEnd::node_died(Cycle t) {
  messages_.give_up([&](std::uint32_t id) { close(t, id); });
}

void SendingEnd::clear() {
  messages_.clear();
  next_timeout_ = 0;
}

}  // namespace flitmend::fcr
