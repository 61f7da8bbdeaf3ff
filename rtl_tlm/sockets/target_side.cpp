// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/target_side.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

TargetSide::TargetSide(NetworkSockets& sockets, SocketContext& context, NodeId nodes, unsigned targets)
    : sockets_(sockets), context_(context) {
  targets_.reserve(targets);
  while (targets_.size() < targets) targets_.emplace_back(context.parameters, nodes);
}

void TargetSide::connect(unsigned target, tlm::tlm_fw_transport_if<>& element) {
  if (targets_[target].element)
    SC_REPORT_ERROR("flitmend/tlm", formatted("%1%: target %2% is bound at two sockets; bind one of them",
                                              sockets_.name(), target)
                                        .c_str());
  targets_[target].element = &element;
}

void TargetSide::arrived(NetworkTransaction& t) {
  Target& target = targets_[t.target];
  target.queue.arrived(t);
  hand_over(target);
}

void TargetSide::lost(NetworkTransaction& t) {
  Target& target = targets_[t.target];
  target.queue.lost(t);
  hand_over(target);
}

tlm::tlm_generic_payload* TargetSide::make_copy(const NetworkTransaction& t) {
  const tlm::tlm_generic_payload& sent = *t.payload;
  tlm::tlm_generic_payload* copy;
  if (t.extent > 0 || sent.is_read() || sent.is_write()) {
    copy = context_.payloads.acquire(sent.get_command(), t.address, sent.get_data_length());
    copy->set_streaming_width(sent.get_streaming_width());
    // The bytes of a read as well: a target may leave them as they are.
    const unsigned char* const bytes = t.received.empty() ? sent.get_data_ptr() : t.received.data();
    if (t.extent > 0) std::copy_n(bytes, copy->get_data_length(), copy->get_data_ptr());
    if (!t.enables.empty()) context_.payloads.set_byte_enables(*copy, t.enables);
  } else {
    copy = context_.payloads.acquire_message(t.address, t.length);
  }
  context_.payloads.borrow_extensions(*copy, sent);
  return copy;
}

bool TargetSide::begin_requests(Target& target) {
  while (!target.next.empty() && target.request.free()) {
    const Underway next = target.next.front();
    target.next.pop();
    --queued_;
    begin_request(next, nullptr);
  }
  return !target.next.empty() && !target.request.busy();
}

bool TargetSide::hand_over() {
  for (Target& target : targets_) hand_over(target);
  bool timed = false;
  if (queued_ > 0)
    for (Target& target : targets_) timed |= begin_requests(target);
  return timed;
}

void TargetSide::hand_over(Target& target) {
  while (NetworkTransaction* const t = target.queue.pop()) hand_over(target, *t);
}

void TargetSide::hand_over(Target& target, NetworkTransaction& t) {
  if (!target.element) {
    answer_without_target(t);
    return;
  }
  const bool answers = posted(t);
  const Underway next{make_copy(t), answers ? nullptr : &t, answers && t.placed, t.target};
  if (target.next.empty() && target.request.free()) {
    begin_request(next, answers ? &t : nullptr);
    return;
  }
  target.next.push(next);
  ++queued_;
  if (answers) {
    context_.payloads.own_extensions(*next.copy);
    finish_posted(t, tlm::TLM_OK_RESPONSE);
  }
  if (!target.request.busy()) sockets_.network_interface().wake_sink();
}

void TargetSide::answer_without_target(NetworkTransaction& t) {
  t.status = t.payload->is_read() ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
  t.bytes.clear();
  if (!posted(t)) {
    reply(t, context_.clock.next_cycle());
    return;
  }
  if (t.placed) queue(t.target).leave(t);
  finish_posted(t, t.status);
}

void TargetSide::begin_request(const Underway& next, NetworkTransaction* posted) {
  Target& target = targets_[next.target];
  at_target_.push_back(next);
  if (posted) at_target_.back().transaction = posted;  // until its sender is answered
  at_target_.back().begun = context_.clock.cycles();
  target.request.begin();
  target.requesting = next.copy;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = call(next.target, *next.copy, phase, delay);
  const bool updated = answer == tlm::TLM_UPDATED;
  const bool responded = answer == tlm::TLM_COMPLETED || (updated && phase == tlm::BEGIN_RESP);
  if (responded || (updated && phase == tlm::END_REQ)) {
    target.requesting = nullptr;
    target.request.end(delay);
  }
  if (target.requesting) target.requested_in = context_.clock.cycles();
  // A posted write is answered now, so the sender sees the target's status only if it is known at once.
  if (posted) {
    at_target_.back().transaction = nullptr;
    if (!responded) context_.payloads.own_extensions(*next.copy);
    finish_posted(*posted, responded ? next.copy->get_response_status() : tlm::TLM_OK_RESPONSE);
  }
  if (!responded) return;
  if (delay != sc_core::SC_ZERO_TIME) {
    answer_later({next.copy, next.target, sc_core::sc_time_stamp() + delay, updated});
    return;
  }
  if (updated) end_response(next.target, *next.copy);
  answered(*next.copy, context_.clock.next_cycle());
}

tlm::tlm_sync_enum TargetSide::call(unsigned number, tlm::tlm_generic_payload& copy, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay) {
  Target& target = targets_[number];
  if (std::exchange(target.called, true)) return target.element->nb_transport_fw(copy, phase, delay);
  const int references = copy.get_ref_count();
  try {
    return target.element->nb_transport_fw(copy, phase, delay);
  } catch (const sc_core::sc_report& report) {
    // The sockets of the standard report a missing function when it is called, and so do elements of users.
    // One that has touched the payload has one.
    if (report.get_severity() != sc_core::SC_ERROR || copy.get_ref_count() != references ||
        copy.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      throw;
    call_blocking(number, report);
  }
  phase = tlm::BEGIN_REQ;
  delay = sc_core::SC_ZERO_TIME;
  return target.element->nb_transport_fw(copy, phase, delay);
}

void TargetSide::call_blocking(unsigned number, const sc_core::sc_report& refusal) {
  Target& target = targets_[number];
  sc_core::sc_report_handler::clear_cached_report();
  SC_REPORT_WARNING(
      "flitmend/tlm",
      formatted("%1%: the nb_transport_fw of target %2% reports \"%3%\"; the target is called by b_transport",
                sockets_.name(), number, refusal.get_msg())
          .c_str());
  target.blocking = std::make_unique<BlockingTarget>(
      *target.element, refusal, formatted("%1%: target %2%", sockets_.name(), number),
      [this, number](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        nb_transport_bw(number, p, phase, delay);
      });
  target.element = target.blocking.get();
}

void TargetSide::finish_posted(NetworkTransaction& t, tlm::tlm_response_status status) {
  t.status = status;
  context_.at(t.source).initiator_side().finish(t);
}

void TargetSide::own_extensions(const NetworkTransaction& t) {
  for (const Underway& u : at_target_)
    if (u.transaction == &t) context_.payloads.own_extensions(*u.copy);
  const RingQueue<Underway>& next = targets_[t.target].next;
  for (std::size_t i = 0; i < next.size(); ++i)
    if (next[i].transaction == &t) context_.payloads.own_extensions(*next[i].copy);
}

void TargetSide::end_response(unsigned target, tlm::tlm_generic_payload& copy) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  targets_[target].element->nb_transport_fw(copy, phase, delay);
}

void TargetSide::answer_later(const Answer& answer) {
  answers_.push_back(answer);
  sockets_.network_interface().wake_sink();
}

void TargetSide::answered(tlm::tlm_generic_payload& copy, Cycle created) {
  const auto at = std::ranges::find(at_target_, &copy, &Underway::copy);
  const Underway done = *at;
  at_target_.erase(at);
  if (NetworkTransaction* const t = done.transaction) {
    t->status = copy.get_response_status();
    t->dmi_allowed = context_.parameters.dmi && copy.is_dmi_allowed();
    t->bytes.clear();
    if (t->status == tlm::TLM_OK_RESPONSE && t->reads() && t->extent > 0)
      t->bytes.assign(copy.get_data_ptr(), copy.get_data_ptr() + copy.get_data_length());
    reply(*t, created);
  } else if (done.placed) {
    queue(done.target).give_back_place();
    sockets_.network_interface().wake_sink();
  }
  context_.payloads.give_back_extensions(copy);
  copy.release();
}

void TargetSide::reply(NetworkTransaction& t, Cycle created) {
  t.replying = true;
  sockets_.send_messages(t, t.source,
                         t.payload->is_read() ? MessageKind::read_reply : MessageKind::write_reply, 2,
                         created, created);
}

tlm::tlm_sync_enum TargetSide::nb_transport_bw(unsigned number, tlm::tlm_generic_payload& copy,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
    protocol_error(sockets_.name(), "a phase that is not of the base protocol's backward path");
  const bool response = phase == tlm::BEGIN_RESP;
  if (!response && phase != tlm::END_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase
  const auto underway = std::ranges::find(at_target_, &copy, &Underway::copy);
  if (underway == at_target_.end() || underway->target != number ||
      std::ranges::find(answers_, &copy, &Answer::copy) != answers_.end())
    protocol_error(sockets_.name(), "a phase for a payload that is not with the target");
  Target& target = targets_[number];
  if (target.requesting == &copy) {
    target.requesting = nullptr;
    target.request.end_by_call(delay);
    if (!target.next.empty()) sockets_.network_interface().wake_sink();
  } else if (!response) {
    protocol_error(sockets_.name(), "END_REQ without a request");
  }
  if (response) answer_later({&copy, number, sc_core::sc_time_stamp() + delay, true});
  return tlm::TLM_ACCEPTED;
}

std::optional<Cycle> TargetSide::unanswered_since(unsigned target) const {
  for (const Underway& u : at_target_)
    if (u.target == target && unanswered(u)) return u.begun;
  return std::nullopt;
}

void TargetSide::debug_posted(unsigned number, sc_dt::uint64 address, tlm::tlm_generic_payload& payload,
                              unsigned bytes) {
  const RingQueue<Underway>& waiting = targets_[number].next;
  for (std::size_t n = 0; n < waiting.size(); ++n) {
    const Underway& u = waiting[n];
    if (u.transaction || !u.copy->is_write()) continue;
    const unsigned char* const enables = u.copy->get_byte_enable_ptr();
    for (unsigned i = 0; i < u.copy->get_data_length(); ++i) {
      const sc_dt::uint64 at = u.copy->get_address() + i % u.copy->get_streaming_width();
      if (at < address || at - address >= bytes) continue;
      if (enables && enables[i % u.copy->get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
      unsigned char& seen = payload.get_data_ptr()[at - address];
      unsigned char& posted = u.copy->get_data_ptr()[i];
      if (payload.is_read())
        seen = posted;
      else if (payload.is_write())
        posted = seen;
    }
  }
}

bool TargetSide::evaluate(Cycle cycle) {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  for (std::size_t i = 0; i < answers_.size();) {
    if (answers_[i].due >= now) {  // at the time of this edge: as if handed over in its delta cycle
      ++i;
      continue;
    }
    const Answer answer = answers_[i];
    answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(i));
    if (answer.end_response) end_response(answer.target, *answer.copy);
    answered(*answer.copy, cycle);
  }
  const bool timed = hand_over();
  return timed || !answers_.empty();
}

}  // namespace flitmend
