// SPDX-License-Identifier: Apache-2.0
#include "support/phased_memory.h"

#include <algorithm>

#include "support/memory_image.h"

namespace flitmend {

using sc_core::sc_time;

PhasedMemory::PhasedMemory(sc_core::sc_module_name name, std::size_t bytes, MemoryForms forms,
                           std::uint64_t seed, std::uint32_t index)
    : sc_module(name), bytes_(bytes), forms_(std::move(forms)), random_(seed, RandomPurpose::test, index) {
  socket.register_nb_transport_fw(this, &PhasedMemory::nb_transport_fw);
  socket.register_b_transport(this, &PhasedMemory::b_transport);
  SC_THREAD(accept);
  SC_THREAD(serve);
}

sc_time PhasedMemory::up_to(unsigned longest) {
  return sc_time(random_.below(longest + 1), sc_core::SC_NS);
}

void PhasedMemory::execute(Payload& p) {
  if (random_.uniform() < forms_.errors) {
    p.set_response_status(static_cast<tlm::tlm_response_status>(tlm::TLM_GENERIC_ERROR_RESPONSE -
                                                                static_cast<int>(random_.below(5))));
    ++refused_;
    return;
  }
  access_bytes(bytes_, 0, p);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  ++executed_;
}

tlm::tlm_sync_enum PhasedMemory::nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(p, phase, delay);
  if (phase != tlm::END_RESP || responding_ != &p)
    SC_REPORT_FATAL("phased_memory", "a phase that does not fit");
  responding_ = nullptr;
  response_ended_.notify(sc_core::SC_ZERO_TIME);
  p.release();
  return random_.below(2) == 0 ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum PhasedMemory::begin_request(Payload& p, tlm::tlm_phase& phase, sc_time& delay) {
  RequestEnd form =
      forms_.request_ends[random_.below(static_cast<std::uint32_t>(forms_.request_ends.size()))];
  // A response at once would overtake those that wait, or come before another one has ended.
  const bool at_once = form == RequestEnd::completed || form == RequestEnd::response_return;
  if (at_once && (!queue_.empty() || (responding_ && form == RequestEnd::response_return)))
    form = RequestEnd::end_req_return;
  switch (form) {
    case RequestEnd::completed:
      execute(p);
      delay += up_to(forms_.longest_delay);
      return tlm::TLM_COMPLETED;
    case RequestEnd::response_return:
      execute(p);
      p.acquire();
      responding_ = &p;
      delay += up_to(forms_.longest_delay);
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    case RequestEnd::end_req_return:
      delay += up_to(forms_.longest_delay);
      phase = tlm::END_REQ;
      break;
    default:
      break;
  }
  p.acquire();
  queue_.push_back({&p, sc_core::sc_time_stamp() + delay, form != RequestEnd::end_req_call});
  most_waiting_ = std::max(most_waiting_, queue_.size());
  requested_.notify(sc_core::SC_ZERO_TIME);
  if (form == RequestEnd::end_req_call) to_accept_.notify(delay + up_to(forms_.longest_accept));
  return form == RequestEnd::end_req_return ? tlm::TLM_UPDATED : tlm::TLM_ACCEPTED;
}

/// Sends END_REQ. There is one request at most that waits for it, the last one.
void PhasedMemory::accept() {
  while (true) {
    wait(to_accept_);
    Request& request = queue_.back();
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = up_to(forms_.longest_delay);
    request.earliest = sc_core::sc_time_stamp() + delay;
    request.accepted = true;  // from here on, the next request may arrive
    Payload& p = *request.payload;
    accepted_.notify(sc_core::SC_ZERO_TIME);
    socket->nb_transport_bw(p, phase, delay);
  }
}

void PhasedMemory::serve() {
  while (true) {
    while (queue_.empty()) wait(requested_);
    while (!queue_.front().accepted) wait(accepted_);
    wait(up_to(forms_.longest_latency));
    while (responding_) wait(response_ended_);
    sc_time delay = up_to(forms_.longest_delay);
    const sc_time earliest = queue_.front().earliest;
    if (forms_.longest_delay == 0 && earliest > sc_core::sc_time_stamp())
      wait(earliest - sc_core::sc_time_stamp());
    else if (earliest > sc_core::sc_time_stamp())
      delay += earliest - sc_core::sc_time_stamp();
    Payload& p = *queue_.front().payload;
    queue_.pop_front();
    execute(p);
    responding_ = &p;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    const tlm::tlm_sync_enum answer = socket->nb_transport_bw(p, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = nullptr;
      p.release();
    }
  }
}

void PhasedMemory::b_transport(Payload& p, sc_time& delay) {
  if (random_.below(2) == 0) {  // the time has come, or is left to the initiator
    wait(delay + up_to(forms_.longest_latency));
    delay = sc_core::SC_ZERO_TIME;
  } else {
    delay += up_to(forms_.longest_delay);
  }
  execute(p);
}

}  // namespace flitmend
