// SPDX-License-Identifier: Apache-2.0
#include "protocols/recovery/sbrp/ends.h"

#include "protocols/recovery/originals.h"

namespace flitmend::sbrp {

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
  requester_.clear();
}

void Ends::clear() {
  sender_.clear();
  receiver_.clear();
  requester_.clear();
}

}  // namespace flitmend::sbrp
