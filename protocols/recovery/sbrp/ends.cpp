// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/ends.h"

#include <algorithm>
#include <utility>

#include "protocols/recovery/control_message.h"
#include "protocols/recovery/originals.h"

namespace flitmend::sbrp {

ReceivingEnd::ReceivingEnd(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface), context_(context), parameters_(parameters) {}

FinishedIds& ReceivingEnd::finished_of(NodeId source) {
  if (finished_.empty()) finished_.resize(context_.topology.node_count());
  return finished_[source];
}

ReceivingEnd::Open* ReceivingEnd::find(NodeId source, std::uint32_t id) {
  for (Open& message : open_)
    if (message.id == id && message.source == source) return &message;
  return nullptr;
}

ReceivingEnd::Open& ReceivingEnd::open(const Message& packet, std::uint32_t length) {
  if (Open* const known = find(packet.source, packet.id)) return *known;
  open_.push_back({packet.source, packet.id, length, 0, 0, kNever, Reassembly(data_flits(length))});
  return open_.back();
}

void ReceivingEnd::remove(Open& message) {
  if (&message != &open_.back()) message = std::move(open_.back());
  open_.pop_back();
}

void ReceivingEnd::tail_consumed(Cycle t, MessageIndex packet) {
  const auto at = std::find(arriving_.begin(), arriving_.end(), packet);
  *at = arriving_.back();
  arriving_.pop_back();
  piece_ended(t, packet, true);
}

void ReceivingEnd::router_failed(Cycle t) {
  for (const MessageIndex packet : std::exchange(arriving_, {})) piece_ended(t, packet, false);
}

void ReceivingEnd::piece_ended(Cycle t, MessageIndex index, bool tail) {
  const Message& packet = context_.messages[index];
  const ProtocolFields& fields = context_.messages.fields(index);
  FinishedIds& finished = finished_of(packet.source);
  finished.advance(fields.oldest);
  if (finished.has(packet.id)) {
    context_.recovery_counters.duplicate_flits += packet.received;
    // The first acknowledgement may have been lost.
    if (parameters_.guard.acknowledgement == Guard::Acknowledgement::real) acknowledge(t, packet);
    return;
  }
  const std::uint32_t length = context_.messages[packet.original].length;
  const std::uint32_t all = data_flits(length);
  const std::uint32_t around = parameters_.header(packet.sub_message) + (tail ? 1 : 0);
  const std::uint32_t count = packet.received > around ? packet.received - around : 0;
  if (fields.first == 0 && count == all) {
    interface_.place(packet.original, 0, all);
    deliver(t, index);
    return;
  }
  Open& message = open(packet, length);
  message.sub_message = std::max(message.sub_message, packet.sub_message);
  if (parameters_.sub_messages) {
    context_.recovery_counters.duplicate_flits += count - message.data.add(fields.first, count);
    interface_.place(packet.original, fields.first, count);
  }
  if (message.data.complete()) {
    deliver(t, index);
    return;
  }
  if (parameters_.receiver_asks) ask(message, false);
  wait_for_rest(t, message);
}

void ReceivingEnd::deliver(Cycle t, MessageIndex index) {
  const Message& packet = context_.messages[index];
  finished_of(packet.source).add(packet.id);
  if (Open* const message = find(packet.source, packet.id)) remove(*message);
  if (parameters_.guard.acknowledgement == Guard::Acknowledgement::real) acknowledge(t, packet);
  deliver_original(interface_, t, index);
}

void ReceivingEnd::acknowledge(Cycle t, const Message& packet) {
  const std::uint32_t id = packet.id;
  const MessageIndex index = interface_.compose(packet.source, kControlLength, MessageKind::control, t + 1);
  context_.messages.fields(index).control = kGuardAcknowledgement;
  context_.messages.fields(index).sequence = id;
  send_control(interface_, index);
}

void ReceivingEnd::wait_for_rest(Cycle t, Open& message) {
  const Cycle silence = parameters_.ask_timeout + 2 * context_.hardware.sending_cycles(message.length);
  message.ask_due = t + (silence << std::min(message.times_asked, parameters_.most_doublings));
  next_due_ = std::min(next_due_, message.ask_due);
  interface_.stay_awake();
}

void ReceivingEnd::ask(const Open& message, bool silent) {
  Request request;
  request.cut.source = message.source;
  request.cut.destination = interface_.node();
  request.cut.id = message.id;
  request.cut.length = message.length;
  request.cut.first = message.data.first_missing();
  request.cut.sub_message = message.sub_message;
  request.silent = silent;
  requests.push_back(request);
}

bool ReceivingEnd::arriving(const Open& message) const {
  return std::any_of(arriving_.begin(), arriving_.end(), [&](MessageIndex index) {
    const Message& packet = context_.messages[index];
    return packet.id == message.id && packet.source == message.source;
  });
}

void ReceivingEnd::finished(NodeId source, std::uint32_t id) {
  if (Open* const message = find(source, id)) {
    finished_of(source).add(id);
    remove(*message);
  }
}

// With UTP the pieces become useless after some time: the receiver asks nobody, and the guard sends the whole
// message.
bool ReceivingEnd::drops_pieces(const Open& message) const {
  if (context_.node_dead(message.source)) return true;
  const std::uint32_t times = message.times_asked;
  if (!parameters_.routers_restart)
    return times > 0 &&
           parameters_.retry_limit.reached(context_, interface_.node(), message.source, times - 1, true);
  const std::uint32_t most = parameters_.retry_limit.most;
  return times > (most > 0 ? most : kRetriesBeforeQuestion);
}

void ReceivingEnd::ask_again(Cycle t) {
  next_due_ = kNever;
  for (std::size_t i = 0; i < open_.size();) {
    Open& message = open_[i];
    if (drops_pieces(message)) {
      remove(message);
      continue;
    }
    if (message.ask_due <= t) {
      if (!arriving(message)) {
        if (!parameters_.routers_restart) ask(message, true);
        ++message.times_asked;
      }
      wait_for_rest(t, message);
    }
    next_due_ = std::min(next_due_, message.ask_due);
    ++i;
  }
}

void ReceivingEnd::clear() {
  finished_.clear();
  arriving_.clear();
  open_.clear();
  requests.clear();
  next_due_ = kNever;
}

Ends::Ends(NetworkInterface& interface, NetworkContext& context, const Parameters& parameters)
    : interface_(interface),
      context_(context),
      parameters_(parameters),
      sender_(interface, context, parameters_),
      receiver_(interface, context, parameters_),
      requester_(interface, context, parameters_) {}

void Ends::ask(Cycle t, const Request& request) {
  if (request.cut.source == interface_.node())
    sender_.request(t, request);
  else
    requester_.ask(t, request);
}

void Ends::make_requests(Cycle t) {
  for (const Request& request : receiver_.requests) ask(t, request);
  receiver_.requests.clear();
}

void Ends::sent(Cycle t, MessageIndex packet) {
  if (!is_control(packet))
    sender_.sent(t, packet);
  else if (context_.messages.fields(packet).control == kRequest)
    requester_.sent(t, packet);
}

void Ends::head_consumed(MessageIndex packet) {
  if (!is_control(packet)) receiver_.head_consumed(packet);
}

void Ends::control_arrived(Cycle t, MessageIndex index) {
  const ProtocolFields& fields = context_.messages.fields(index);
  CutMessage subject;
  switch (fields.control) {
    case kRequest:
      sender_.request_arrived(t, index);
      break;
    case kAcknowledgement:
      if (requester_.acknowledged(fields.request, subject) && (fields.flags & kFinished))
        receiver_.finished(subject.source, subject.id);
      break;
    case kGuardAcknowledgement:
      sender_.acknowledged(t, fields.sequence);
      break;
  }
}

void Ends::tail_consumed(Cycle t, MessageIndex packet, bool broken) {
  const bool control = is_control(packet);
  if (!control) {
    receiver_.tail_consumed(t, packet);
    make_requests(t);
  }
  if (broken) {  // its descriptor is released when no flit of it is left
    context_.broken.piece_ended(packet);
  } else if (control) {
    control_arrived(t, packet);
    context_.messages.release(packet);
  } else {
    release_arrived(context_, packet);
  }
}

void Ends::spent(Cycle t, MessageIndex index) {
  if (is_control(index)) {
    sent(t, index);  // or it never left: its destination is dead
    context_.messages.release(index);
  } else if (context_.messages[index].original == kNoMessage) {  // an original from a dead node
    interface_.settle(index, t, context_.messages.loss(index).unreachable);
  } else {
    sender_.packet_gone(t, index);
  }
}

void Ends::router_failed(Cycle t) {
  receiver_.router_failed(t);
  make_requests(t);
}

void Ends::node_died(Cycle t) {
  sender_.node_died(t);
  receiver_.clear();
  requester_.node_died();
}

void Ends::clear() {
  sender_.clear();
  receiver_.clear();
  requester_.clear();
}

}  // namespace flitmend::sbrp
