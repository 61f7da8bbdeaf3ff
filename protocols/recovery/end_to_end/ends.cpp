// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/end_to_end/ends.h"

#include "protocols/recovery/control_message.h"

namespace flitmend::end_to_end {
namespace {

/// Messages from a source that wait for their acknowledgement. Half a window: with more, its sender would
/// wait too.
constexpr unsigned kMostOwed = kWindow / 2;

}  // namespace

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      sender_(interface, context, parameters),
      delay_(parameters.acknowledgement_delay) {}

ReceiveWindow& Ends::window(NodeId source) {
  if (windows_.empty()) windows_.resize(context_.topology.node_count());
  return windows_[source];
}

void Ends::answer(NodeId source, std::uint32_t sequence, Control what) {
  const MessageIndex index =
      interface_.compose(source, kControlLength, MessageKind::control, context_.next_cycle);
  context_.messages.fields(index).sequence = sequence;
  context_.messages.fields(index).control = static_cast<std::uint8_t>(what);
  send_control(interface_, index);
}

void Ends::acknowledge_later(Cycle t, NodeId source, bool waits) {
  const unsigned owed = delayed_.owe(source, t + delay_, context_.topology.node_count());
  if (waits || owed >= kMostOwed) {
    delayed_.take(source);
    acknowledge_all(source);
  }
  interface_.stay_awake();
}

void Ends::acknowledge_all(NodeId source) {
  const MessageIndex index =
      interface_.compose(source, kControlLength, MessageKind::control, context_.next_cycle);
  carry_acknowledgement(index);
  send_control(interface_, index);
}

void Ends::carry_acknowledgement(MessageIndex index) {
  const ReceiveWindow& arrived = window(context_.messages[index].destination);
  ProtocolFields& fields = context_.messages.fields(index);
  fields.control = static_cast<std::uint8_t>(Control::selective_acknowledgement);
  fields.first = arrived.first();
  fields.flags = arrived.bits();
}

void Ends::sent(Cycle t, MessageIndex packet) {
  const Message& message = context_.messages[packet];
  // A packet that a fault has cut here has no tail to carry anything.
  if (message.kind != MessageKind::control && !message.incomplete && delayed_.take(message.destination))
    carry_acknowledgement(packet);
  sender_.sent(t, packet);
}

void Ends::evaluate(Cycle t) {
  delayed_.expire(t, [&](NodeId source) { acknowledge_all(source); });
  sender_.evaluate(t);
}

void Ends::control_consumed(Cycle t, MessageIndex index, bool broken) {
  const Message& message = context_.messages[index];
  if (broken) {  // the sender's timer recovers from that
    context_.broken.piece_ended(index);
    return;
  }
  const NodeId from = message.source;
  const ProtocolFields fields = context_.messages.fields(index);
  context_.messages.release(index);
  switch (static_cast<Control>(fields.control)) {
    case Control::acknowledgement:
      sender_.acknowledged(t, from, fields.sequence);
      break;
    case Control::refusal:
      sender_.refused(t, from, fields.sequence);
      break;
    case Control::request_buffer:  // the receiver has room for a window of messages per source
      answer(from, fields.sequence,
             window(from).has(fields.sequence) ? Control::acknowledgement : Control::buffer_ready);
      break;
    case Control::buffer_ready:
      sender_.buffer_ready(from, fields.sequence);
      break;
    case Control::selective_acknowledgement:
      sender_.acknowledged_selectively(t, from, fields.first, fields.flags);
      break;
  }
}

void Ends::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  const Message& message = context_.messages[packet];
  if (message.kind == MessageKind::control) {
    control_consumed(t, packet, broken);
    return;
  }
  const std::uint32_t sequence = context_.messages.fields(packet).sequence;
  ReceiveWindow& arrived = window(message.source);
  const bool known = arrived.has(sequence);
  if (known) context_.recovery_counters.duplicate_flits += message.received;
  if (broken && !known)
    answer(message.source, sequence, Control::refusal);
  else if (delay_ == 0)
    answer(message.source, sequence, Control::acknowledgement);
  if (!broken && !known) arrived.add(sequence);
  // The sender of a duplicate waits: its timer has ended.
  if (delay_ > 0 && (known || !broken)) acknowledge_later(t, message.source, known);
  if (broken) {
    context_.broken.piece_ended(packet);
    return;
  }
  const MessageIndex original = message.original;
  const ProtocolFields carried = context_.messages.fields(packet);
  if (carried.control == static_cast<std::uint8_t>(Control::selective_acknowledgement))
    sender_.acknowledged_selectively(t, message.source, carried.first, carried.flags);
  if (!known) {
    interface_.place(original, 0, data_flits(message.length));
    context_.messages[original].hops = message.hops;
    context_.messages.fields(original).delivered = true;
    interface_.deliver(original, t);
  }
  // The packet is gone. If its sender is done with the original, this packet may have been the last reference
  // to it.
  ProtocolFields& kept = context_.messages.fields(original);
  context_.messages.release(packet);
  if (--kept.packets == 0 && kept.closed) context_.messages.release(original);
}

void Ends::spent(Cycle t, MessageIndex index) {
  const Message& message = context_.messages[index];
  if (message.kind == MessageKind::control) {
    sender_.request_gone(t, index);
    context_.messages.release(index);
  } else if (message.original == kNoMessage) {  // an original from a dead node or to an unreachable one
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
  } else {
    sender_.packet_gone(t, index);
  }
}

void Ends::clear() {
  sender_.clear();
  delayed_.clear();
  windows_.clear();
}

}  // namespace flitmend::end_to_end
