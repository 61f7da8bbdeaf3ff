// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "protocols/recovery/break_unit.h"
#include "protocols/recovery/control_message.h"
#include "protocols/recovery/end_to_end/delayed_acknowledgements.h"
#include "protocols/recovery/end_to_end/sender.h"
#include "protocols/recovery/registry.h"

namespace flitmend::end_to_end {
namespace {

/// Messages from a source that may wait for their acknowledgement. Half a window: with more, its sender
/// would wait too.
constexpr unsigned kMostOwed = kWindow / 2;

/// Both ends at a node. The receiving end takes every message once and acknowledges it, drops duplicates and
/// acknowledges them again, and refuses broken pieces. If acknowledgements may wait, the next message to
/// their node carries them in its last flit (piggybacking); after Parameters::acknowledgement_delay they
/// leave as control messages.
class Ends final : public InterfaceRecovery {
 public:
  Ends(NetworkInterface&, NetworkContext&, const Parameters&);

  void send(MessageIndex original) override { sender_.send(original); }
  void sent(Cycle t, MessageIndex packet) override;
  void tail_consumed(Cycle t, MessageIndex packet, bool broken) override;
  void spent(Cycle t, MessageIndex) override;
  void node_died(Cycle t) override {
    delayed_.clear();
    sender_.node_died(t);
  }
  void evaluate(Cycle t) override;
  bool busy() const override { return sender_.busy() || !delayed_.empty(); }
  Cycle next_due() const override { return std::min(sender_.next_due(), delayed_.next_due()); }
  std::size_t waiting() const override { return sender_.waiting(); }
  void clear() override;

 private:
  void control_consumed(Cycle t, MessageIndex, bool broken);
  void answer(NodeId source, std::uint32_t sequence, Control);
  /// A message from a source has arrived: acknowledges it when a message to the source leaves, or after the
  /// delay, or at once if the source waits for that.
  void acknowledge_later(Cycle t, NodeId source, bool waits);
  void acknowledge_all(NodeId source);
  /// Adds an acknowledgement of everything from a node to a message to it.
  void carry_acknowledgement(MessageIndex);
  ReceiveWindow& window(NodeId source);

  NetworkInterface& interface_;
  NetworkContext& context_;
  Sender sender_;
  Cycle delay_;  ///< Parameters::acknowledgement_delay
  DelayedAcknowledgements delayed_;
  std::vector<ReceiveWindow> windows_;  ///< by source; empty until something arrives
};

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

}  // namespace
}  // namespace flitmend::end_to_end

namespace flitmend {
namespace {

constexpr Choice kHandshakes[] = {
    {"none", "nothing"},
    {"six-step",
     "the sender asks for a buffer, and waits until the receiver has one: 3 flits each [SBRP Fig. 38]"}};
constexpr OptionKey kHandshake{
    .key = {"handshake", "", "end-to-end: what comes before the data of a message.", kAlways},
    .values = OptionKey::Word{.initial = "none", .choices = kHandshakes}};
constexpr OptionKey kAcknowledgementDelay{
    .key =
        {"acknowledgement_delay", "cycles",
         "end-to-end: how long an acknowledgement waits for a message to the same node that carries it "
         "(piggybacking); after that, or when four messages wait for one, it is a message of its own. 0: it "
         "does not wait.",
         kAlways},
    .values = OptionKey::Number{.initial = 0, .range = {0, 65535}}};

constexpr RecoveryNeeds kEndToEndNeeds{
    .flit_counter = false,
    .head_copy = false,
    .mechanisms = MechanismSet{},
    .control_lines = BreakUnit::kControlLines,
    .control_messages = true,
    .padding = false,
    .software_handler = false,
    .sender_copy = true,
    .id_memory = end_to_end::kWindow,
};

class EndToEnd final : public RecoveryProtocol {
 public:
  EndToEnd(const RecoverySettings& s, unsigned head_wait)
      : RecoveryProtocol(kEndToEndNeeds),
        parameters_{static_cast<std::uint64_t>(s.timeout),
                    {static_cast<std::uint32_t>(s.retry_limit)},
                    s.options.word(kHandshake) == "six-step",
                    static_cast<std::uint64_t>(s.options.number(kAcknowledgementDelay))},
        head_wait_(head_wait) {}
  std::unique_ptr<RouterRecovery> make_unit(Router&) const override {
    return std::make_unique<BreakUnit>(head_wait_);
  }
  std::unique_ptr<InterfaceRecovery> make_ends(NetworkInterface& interface) const override {
    return std::make_unique<end_to_end::Ends>(interface, interface.context(), parameters_);
  }

 private:
  end_to_end::Parameters parameters_;
  unsigned head_wait_;
};

}  // namespace

RecoveryEntry end_to_end_recovery() {
  return {
      .name = "end-to-end",
      .description = "the sender keeps a copy until it is acknowledged, and sends it again after a timeout",
      .needs = kEndToEndNeeds,
      .traits = {.overhead_on_every_message = true,
                 .multiple_faults = true,
                 .head_loss = true,
                 .resends_whole = true,
                 .resends_part = false},
      .keys = {"timeout", "retry_limit"},
      .options = {&kHandshake, &kAcknowledgementDelay},
      .unequal_links = true,
      .control_length = end_to_end::kControlLength,
      .bytes_per_source = sizeof(end_to_end::ReceiveWindow) + end_to_end::Sender::kBytesPerDestination +
                          end_to_end::DelayedAcknowledgements::kBytesPerNode,
      .may_lose = [](const RecoverySettings&, const HardwareParameters&) { return std::uint32_t{0}; },
      .make = [](const RecoverySettings& s,
                 const RoutingSettings& routing) -> std::unique_ptr<RecoveryProtocol> {
        return std::make_unique<EndToEnd>(s, static_cast<unsigned>(routing.head_wait_cycles));
      },
  };
}

}  // namespace flitmend
