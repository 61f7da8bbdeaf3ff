// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/end_to_end/sender.h"

#include <algorithm>
#include <utility>

#include "base/backoff.h"
#include "protocols/recovery/control_message.h"
#include "protocols/recovery/originals.h"

namespace flitmend::end_to_end {
namespace {

constexpr unsigned kFirstDoublings = 5;

}  // namespace

Sender::Sender(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters), memory_(context) {}

Sender::Pair& Sender::pair(NodeId destination) {
  if (pair_of_.empty()) pair_of_.resize(context_.topology.node_count());
  std::uint32_t& index = pair_of_[destination];
  if (index == 0) {
    pairs_.emplace_back();
    pairs_.back().destination = destination;
    index = static_cast<std::uint32_t>(pairs_.size());
  }
  return pairs_[index - 1];
}

// Four round trips at zero load, four message lengths, and the delay of the acknowledgement. The answer to a
// request for a buffer is not delayed.
Cycle Sender::timeout(const Pair& to, const Slot& slot) const {
  const unsigned doublings = backoff_doublings(slot.tries, kFirstDoublings);
  if (parameters_.timeout > 0) return parameters_.timeout << doublings;
  const HardwareParameters& hardware = context_.hardware;
  const Cycle hops = context_.topology.distance(interface_.node(), to.destination) + 1;
  const Cycle one_way = hops * hardware.hop_cycles() + hardware.network_interface.injection_latency +
                        hardware.network_interface.ejection_cycles();
  const Cycle sending = hardware.sending_cycles(context_.messages[slot.original].length);
  const Cycle delay = waits_for_buffer(slot) ? 0 : parameters_.acknowledgement_delay;
  return (4 * (2 * one_way + sending) + delay) << doublings;
}

void Sender::send(MessageIndex original) {
  Pair& to = pair(context_.messages[original].destination);
  if (to.unreachable) {  // its creator is told at the end of the cycle
    context_.broken.give_up(original);
    context_.broken.discard(original, context_.messages[original].length);
    return;
  }
  memory_.keep(original);
  to.waiting.push(original);
  ++waiting_;
  fill(to);
}

void Sender::fill(Pair& to) {
  while (to.next - to.first < kWindow && !to.waiting.empty()) {
    to.slot(to.next) = {to.waiting.front()};
    to.waiting.pop();
    --waiting_;
    transmit(to, to.next++, InjectionPriority::fresh);
  }
}

void Sender::transmit(Pair& to, std::uint32_t sequence, InjectionPriority priority) {
  Slot& slot = to.slot(sequence);
  slot.due = kNever;
  if (waits_for_buffer(slot)) {
    ask_for_buffer(to, sequence);
    return;
  }
  const Message& kept = context_.messages[slot.original];
  const Cycle created = std::max(kept.created, context_.next_cycle);
  const MessageIndex packet = interface_.compose(to.destination, kept.length, kept.kind, created);
  Message& message = context_.messages[packet];
  message.original = slot.original;
  message.id = context_.messages[slot.original].id;
  context_.messages.fields(packet).sequence = sequence;
  ++context_.messages.fields(slot.original).packets;
  interface_.push(packet, priority);
}

void Sender::ask_for_buffer(Pair& to, std::uint32_t sequence) {
  const MessageIndex request =
      interface_.compose(to.destination, kControlLength, MessageKind::control, context_.next_cycle);
  context_.messages.fields(request).sequence = sequence;
  context_.messages.fields(request).control = static_cast<std::uint8_t>(Control::request_buffer);
  send_control(interface_, request);
}

Sender::Slot* Sender::slot_of_request(MessageIndex request) {
  const ProtocolFields& fields = context_.messages.fields(request);
  if (fields.control != static_cast<std::uint8_t>(Control::request_buffer)) return nullptr;
  Pair& to = pair(context_.messages[request].destination);
  if (!to.open(fields.sequence)) return nullptr;
  Slot& slot = to.slot(fields.sequence);
  return slot.original == kNoMessage || slot.buffered ? nullptr : &slot;
}

Sender::Slot* Sender::slot_of(MessageIndex packet) {
  if (context_.messages[packet].kind == MessageKind::control) return slot_of_request(packet);
  const MessageIndex original = context_.messages[packet].original;
  if (original == kNoMessage || context_.messages.fields(original).closed) return nullptr;
  Slot& slot = pair(context_.messages[packet].destination).slot(context_.messages.fields(packet).sequence);
  return slot.original == original ? &slot : nullptr;
}

void Sender::sent(Cycle t, MessageIndex packet) {
  Slot* const slot = slot_of(packet);
  if (!slot) return;
  const NodeId destination = context_.messages[packet].destination;
  slot->due = t + timeout(pair(destination), *slot);
  arm(pair_of_[destination] - 1, slot->due);
}

void Sender::arm(std::uint32_t pair, Cycle due) {
  if (due >= pairs_[pair].armed) return;
  pairs_[pair].armed = due;
  timers_.push({due, pair});
}

void Sender::slide(Pair& to) {
  while (to.first != to.next && to.slot(to.first).original == kNoMessage) ++to.first;
  fill(to);
}

void Sender::acknowledged(Cycle t, NodeId destination, std::uint32_t sequence) {
  Pair& to = pair(destination);
  if (!to.open(sequence)) return;
  const MessageIndex original = std::exchange(to.slot(sequence).original, kNoMessage);
  if (original == kNoMessage) return;
  close(t, original);
  slide(to);
}

void Sender::acknowledged_selectively(Cycle t, NodeId destination, std::uint32_t first, std::uint8_t bits) {
  Pair& to = pair(destination);
  for (std::uint32_t sequence = to.first; sequence != to.next; ++sequence)
    if (to.slot(sequence).original != kNoMessage && arrived(sequence, first, bits))
      close(t, std::exchange(to.slot(sequence).original, kNoMessage));
  slide(to);
}

void Sender::buffer_ready(NodeId destination, std::uint32_t sequence) {
  Pair& to = pair(destination);
  if (!to.open(sequence)) return;
  Slot& slot = to.slot(sequence);
  if (slot.original == kNoMessage || slot.buffered) return;
  slot.buffered = true;
  slot.tries = slot.unanswered = 0;  // both directions work
  transmit(to, sequence, InjectionPriority::fresh);
}

void Sender::repeat(Cycle t, Pair& to, std::uint32_t sequence) {
  Slot& slot = to.slot(sequence);
  if (parameters_.retry_limit.reached(context_, interface_.node(), to.destination, slot.unanswered, true,
                                      timeout(to, slot))) {
    give_up(t, to);
    return;
  }
  ++slot.tries;
  ++slot.unanswered;
  if (!waits_for_buffer(slot)) {
    ++context_.recovery_counters.retransmissions;
    context_.recovery_counters.retransmitted_flits += context_.messages[slot.original].length;
  }
  transmit(to, sequence, InjectionPriority::resend);
}

void Sender::refused(Cycle t, NodeId destination, std::uint32_t sequence) {
  Pair& to = pair(destination);
  if (!to.open(sequence)) return;
  Slot& slot = to.slot(sequence);
  if (slot.original == kNoMessage || slot.due == kNever) return;
  slot.tries = slot.unanswered = 0;  // both directions work
  repeat(t, to, sequence);
  slide(to);
}

void Sender::expire_timers(Cycle t) {
  while (next_due() <= t) {
    const Timer timer = timers_.top();
    timers_.pop();
    Pair& to = pairs_[timer.pair];
    if (timer.due != to.armed) continue;  // another one was due before it
    to.armed = kNever;
    Cycle next = kNever;
    for (std::uint32_t sequence = to.first; sequence != to.next; ++sequence) {
      const Slot& slot = to.slot(sequence);
      if (slot.original == kNoMessage || slot.due == kNever) continue;
      if (slot.due <= t)
        repeat(t, to, sequence);
      else
        next = std::min(next, slot.due);
    }
    slide(to);
    arm(timer.pair, next);
  }
}

void Sender::close(Cycle t, MessageIndex original) {
  context_.messages.fields(original).closed = true;
  memory_.drop(original);
  settle_if_done(interface_, t, original);
}

void Sender::packet_gone(Cycle t, MessageIndex packet) {
  const MessageIndex original = context_.messages[packet].original;
  const NodeId destination = context_.messages[packet].destination;
  const Slot* const slot = slot_of(packet);
  context_.messages.release(packet);
  --context_.messages.fields(original).packets;
  if (slot && context_.node_dead(destination))
    give_up(t, pair(destination));
  else
    settle_if_done(interface_, t, original);
}

void Sender::request_gone(Cycle t, MessageIndex request) {
  const NodeId destination = context_.messages[request].destination;
  if (context_.node_dead(destination) && slot_of_request(request)) give_up(t, pair(destination));
}

void Sender::give_up(Cycle t, Pair& to) {
  to.unreachable = true;
  for (std::uint32_t sequence = to.first; sequence != to.next; ++sequence)
    if (const MessageIndex original = std::exchange(to.slot(sequence).original, kNoMessage);
        original != kNoMessage)
      close(t, original);
  to.first = to.next;
  while (!to.waiting.empty()) {
    const MessageIndex original = to.waiting.front();
    to.waiting.pop();
    --waiting_;
    close(t, original);
  }
}

void Sender::node_died(Cycle t) {
  for (std::size_t i = 0; i < pairs_.size(); ++i) give_up(t, pairs_[i]);
}

void Sender::clear() {
  pair_of_.clear();
  pairs_.clear();
  timers_ = {};
  memory_.clear();
  waiting_ = 0;
}

}  // namespace flitmend::end_to_end
