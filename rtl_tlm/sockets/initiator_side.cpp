// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/initiator_side.h"

#include <algorithm>
#include <cstring>

#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {
namespace {

/// The cycle in which the initiator created a request that it hands over at `now`.
Cycle creation_of(const tlm::tlm_generic_payload& payload, Cycle now) {
  const auto* extension = payload.get_extension<MessageExtension>();
  return extension ? std::min(extension->created, now) : now;
}

}  // namespace

InitiatorSide::InitiatorSide(NetworkSockets& sockets, SocketContext& context)
    : sockets_(sockets), context_(context), order_(context.parameters, context.addresses) {}

tlm::tlm_response_status InitiatorSide::decode(const tlm::tlm_generic_payload& payload,
                                               Request& request) const {
  const auto place = context_.addresses.find(payload.get_address());
  if (!place) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  request.place = *place;
  const tlm::tlm_command command = payload.get_command();
  if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND &&
      command != tlm::TLM_IGNORE_COMMAND)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const std::size_t bytes = payload.get_data_length();
  const Packetizer& packetizer = context_.packetizer;
  if (command != tlm::TLM_IGNORE_COMMAND || (bytes > 0 && payload.get_data_ptr())) {
    request.extent = std::min<std::size_t>(bytes, payload.get_streaming_width());
    if (request.extent > place->left) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0)
      return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (bytes > 0 && (request.extent == 0 || !payload.get_data_ptr() || packetizer.bytes_per_message() == 0))
      return tlm::TLM_BURST_ERROR_RESPONSE;
  } else if (const auto* extension = payload.get_extension<MessageExtension>()) {
    request.length = extension->length;
  }
  return request.length < 1 || request.length > packetizer.longest_message() ? tlm::TLM_BURST_ERROR_RESPONSE
                                                                             : tlm::TLM_OK_RESPONSE;
}

bool InitiatorSide::answers_at_once(unsigned initiator) const {
  if (context_.parameters.ordering != Ordering::per_initiator) return true;
  const Initiator& own = initiators_[initiator];
  return !order_.keeps_back(initiator) && own.blocked.empty() && !own.waiting && own.responses.empty() &&
         own.response.free() &&
         std::ranges::find(delayed_, initiator, &NetworkTransaction::initiator) == delayed_.end();
}

NetworkTransaction* InitiatorSide::open(unsigned initiator, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_response_status status, const Request& request) {
  NetworkTransaction* const t = context_.transactions.acquire();
  t->payload = &payload;
  t->source = sockets_.node();
  t->initiator = initiator;
  t->destination = request.place.node;
  t->target = request.place.target;
  t->address = request.place.local;
  if (status != tlm::TLM_OK_RESPONSE) {
    t->status = status;
    t->refused = true;
    return t;
  }
  t->extent = request.extent;
  t->length = request.length;
  if (t->writes() && request.extent > 0)
    t->bytes.assign(payload.get_data_ptr(), payload.get_data_ptr() + payload.get_data_length());
  if (const unsigned char* enables = payload.get_byte_enable_ptr(); enables && request.extent > 0)
    t->enables.assign(enables, enables + payload.get_byte_enable_length());
  return t;
}

bool InitiatorSide::has_room() const {
  const unsigned limit = context_.parameters.initiator_queue;
  return (limit == 0 || unanswered_ < limit) && order_.waiting() == 0 &&
         sockets_.network_interface().accepts(delayed_.size());
}

bool InitiatorSide::await_creation(NetworkTransaction& t) {
  if (t.created != kNever) return false;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (t.due > now) return true;
  // As if it had been handed over when it was due, which was before this edge or in its delta cycle.
  t.created = t.due < now ? context_.clock.cycles() : context_.clock.next_cycle();
  return false;
}

void InitiatorSide::issue(NetworkTransaction& t, Cycle from) {
  if (t.refused)
    order_.refuse(t, [this](NetworkTransaction& first) { answer(first); });
  else if (order_.begin(t))
    send(t, from);
}

void InitiatorSide::issue_now(NetworkTransaction& t) {
  t.issued = true;
  if (!delayed_.empty()) issue_delayed();
  issue(t, context_.clock.next_cycle());
}

void InitiatorSide::send(NetworkTransaction& t, Cycle from) {
  t.sent = true;
  sockets_.send_messages(t, t.destination, t.writes() ? MessageKind::data : MessageKind::read_request,
                         t.length, t.created, from);
}

tlm::tlm_sync_enum InitiatorSide::nb_transport_fw(unsigned number, tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  Initiator& initiator = initiators_[number];
  if (phase == tlm::END_RESP) {
    if (initiator.responding != &payload) protocol_error(sockets_.name(), "END_RESP without a response");
    initiator.responding = nullptr;
    --unanswered_;
    initiator.response.end_by_call(delay);
    if (!initiator.responses.empty()) sockets_.network_interface().wake_sink();
    payload.release();
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    protocol_error(sockets_.name(), "a phase that is not of the base protocol's forward path");
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase
  if (initiator.waiting)
    protocol_error(sockets_.name(), "BEGIN_REQ before the END_REQ of the request before it");
  if (!payload.has_mm())
    protocol_error(sockets_.name(), "nb_transport needs payloads with memory management (tlm_mm_interface)");

  Request request;
  const tlm::tlm_response_status status = decode(payload, request);
  if (status != tlm::TLM_OK_RESPONSE && answers_at_once(number)) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  NetworkTransaction* const t = open(number, payload, status, request);
  // A refused one is answered at the next edge: its status must not come with END_REQ.
  const bool delayed = delay != sc_core::SC_ZERO_TIME || t->refused;
  const bool room = waiting_ == 0 && has_room();
  if (delayed || !room) t->due = sc_core::sc_time_stamp() + delay;
  if (delayed)
    sockets_.network_interface().wake_sink();  // for its creation
  else
    t->created = creation_of(payload, context_.clock.next_cycle());
  if (!room) {
    initiator.waiting = t;
    ++waiting_;
    sockets_.network_interface().want_room();
    return tlm::TLM_ACCEPTED;
  }
  grant(number);
  if (delayed)
    delayed_.push_back(t);
  else
    issue_now(*t);
  phase = tlm::END_REQ;  // at the same time as BEGIN_REQ: the delay stays
  return tlm::TLM_UPDATED;
}

unsigned InitiatorSide::next_waiting() const {
  for (unsigned i = 1; i <= initiators(); ++i) {
    const unsigned number = (last_granted_ + i) % initiators();
    const Initiator& initiator = initiators_[number];
    if (!initiator.blocked.empty() ||
        (initiator.waiting && initiator.waiting->due <= sc_core::sc_time_stamp()))
      return number;
  }
  return initiators();
}

void InitiatorSide::offer_room() {
  while (waiting_ > 0 && has_room()) {
    const unsigned number = next_waiting();
    if (number == initiators()) break;
    Initiator& initiator = initiators_[number];
    --waiting_;
    grant(number);
    if (initiator.waiting && initiator.waiting->due <= sc_core::sc_time_stamp()) {
      NetworkTransaction& t = *initiator.waiting;
      initiator.waiting = nullptr;
      await_creation(t);
      issue_now(t);
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      initiator.element->nb_transport_bw(*t.payload, phase, delay);
    } else {
      NetworkTransaction& t = *initiator.blocked.front();
      initiator.blocked.pop();
      issue_now(t);
    }
  }
  if (waiting_ > 0) sockets_.network_interface().want_room();
}

void InitiatorSide::b_transport(unsigned number, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  Request request;
  const tlm::tlm_response_status status = decode(payload, request);
  if (status != tlm::TLM_OK_RESPONSE && answers_at_once(number)) {
    payload.set_response_status(status);
    return;
  }
  if (delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  NetworkTransaction& t = *open(number, payload, status, request);
  t.created = creation_of(payload, context_.clock.next_cycle());
  t.blocking = true;
  if (!t.answer) t.answer = std::make_unique<sc_core::sc_event>();
  if (waiting_ > 0 || !has_room()) {
    initiators_[number].blocked.push(&t);
    ++waiting_;
    sockets_.network_interface().want_room();
  } else {
    grant(number);
    issue_now(t);
  }
  try {
    while (!t.done) sc_core::wait(*t.answer);
  } catch (...) {
    abandon(t);
    throw;
  }
  context_.transactions.release(&t);
}

void InitiatorSide::abandon(NetworkTransaction& t) {
  if (t.issued && !t.done) {
    t.abandoned = true;
    t.payload = context_.payloads.copy(*t.payload);
    context_.at(t.destination).target_side().own_extensions(t);
    return;
  }
  if (!t.done) {
    initiators_[t.initiator].blocked.erase(&t);
    --waiting_;
  }
  context_.transactions.release(&t);
}

void InitiatorSide::copy_back(NetworkTransaction& t) {
  tlm::tlm_generic_payload& payload = *t.payload;
  payload.set_response_status(t.status);
  payload.set_dmi_allowed(t.dmi_allowed);
  if (!t.replying || t.status != tlm::TLM_OK_RESPONSE || t.received.empty()) return;
  if (t.enables.empty() || !payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), t.received.data(), t.received.size());
    return;
  }
  for (std::size_t i = 0; i < t.received.size(); ++i)
    if (t.enables[i % t.enables.size()] != TLM_BYTE_DISABLED) payload.get_data_ptr()[i] = t.received[i];
}

void InitiatorSide::answer(NetworkTransaction& t) {
  if (t.blocking) --unanswered_;
  if (t.abandoned) {
    context_.payloads.give_back_extensions(*t.payload);
    t.payload->release();
    context_.transactions.release(&t);
    return;
  }
  copy_back(t);
  if (t.blocking) {
    t.done = true;
    t.answer->notify(sc_core::SC_ZERO_TIME);
    return;
  }
  Initiator& initiator = initiators_[t.initiator];
  // The turn of one that is refused may come in a call of the initiator: its response waits for an edge.
  if (initiator.responses.empty() && initiator.response.free() && !t.refused) {
    begin_response(initiator, t);
    return;
  }
  initiator.responses.push(&t);
  if (!initiator.response.busy()) sockets_.network_interface().wake_sink();
}

void InitiatorSide::finish(NetworkTransaction& t) {
  order_.answered(
      t, [this](NetworkTransaction& first) { answer(first); },
      [this](NetworkTransaction& next) { send(next, context_.clock.next_cycle()); });
}

void InitiatorSide::begin_response(Initiator& initiator, NetworkTransaction& t) {
  tlm::tlm_generic_payload& payload = *t.payload;
  context_.transactions.release(&t);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  initiator.response.begin();
  initiator.responding = &payload;
  const tlm::tlm_sync_enum answer = initiator.element->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    initiator.responding = nullptr;
    --unanswered_;
    initiator.response.end(delay);
    payload.release();
  }
  if (initiator.responding) initiator.responded_in = context_.clock.cycles();
}

bool InitiatorSide::begin_responses() {
  bool timed = false;
  for (Initiator& initiator : initiators_) {
    while (!initiator.responses.empty() && initiator.response.free()) {
      NetworkTransaction& t = *initiator.responses.front();
      initiator.responses.pop();
      begin_response(initiator, t);
    }
    timed |= !initiator.responses.empty() && !initiator.response.busy();
  }
  return timed;
}

void InitiatorSide::issue_delayed() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  for (;;) {
    const auto first =
        std::ranges::min_element(delayed_, [](const auto* a, const auto* b) { return a->due < b->due; });
    if (first == delayed_.end() || (*first)->due > now) return;
    NetworkTransaction& t = **first;
    delayed_.erase(first);
    await_creation(t);
    issue(t, t.created);
  }
}

bool InitiatorSide::evaluate() {
  if (!delayed_.empty()) issue_delayed();
  bool timed = begin_responses();
  if (waiting_ > 0)
    for (Initiator& initiator : initiators_) timed |= initiator.waiting && await_creation(*initiator.waiting);
  return timed || !delayed_.empty();
}

}  // namespace flitmend
