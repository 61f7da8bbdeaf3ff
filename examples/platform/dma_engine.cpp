// SPDX-License-Identifier: Apache-2.0
#include "dma_engine.h"

#include <algorithm>

DmaEngine::DmaEngine(sc_core::sc_module_name name, sc_dt::uint64 from, sc_dt::uint64 to, unsigned bytes)
    : sc_module(name), from_(from), to_(to), lines_(bytes / kLine) {
  socket.register_nb_transport_bw(this, &DmaEngine::nb_transport_bw);
  SC_THREAD(copy);
}

void DmaEngine::copy() {
  while (!done()) {
    if (requesting_) {
      wait(changed_);
    } else if (!to_write_.empty()) {
      tlm::tlm_generic_payload& p = *to_write_.back();
      to_write_.pop_back();
      request(p);
    } else if (read_ < lines_ && under_way_ < kLinesUnderWay) {
      ++under_way_;
      request(payloads_.take(tlm::TLM_READ_COMMAND, from_ + kLine * read_++, kLine));
    } else {
      wait(changed_);
    }
  }
  finished_at_ = sc_core::sc_time_stamp();
}

void DmaEngine::request(tlm::tlm_generic_payload& p) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  requesting_ = true;
  switch (socket->nb_transport_fw(p, phase, delay)) {
    case tlm::TLM_ACCEPTED:
      return;
    case tlm::TLM_UPDATED:  // END_REQ, or BEGIN_RESP, which implies it
      requesting_ = false;
      if (phase == tlm::BEGIN_RESP) {
        response(p);
        phase = tlm::END_RESP;
        socket->nb_transport_fw(p, phase, delay);
      }
      return;
    case tlm::TLM_COMPLETED:
      requesting_ = false;
      response(p);
  }
}

tlm::tlm_sync_enum DmaEngine::nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                              sc_core::sc_time&) {
  if (phase == tlm::END_REQ) {
    requesting_ = false;
    changed_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  response(p);
  return tlm::TLM_COMPLETED;
}

void DmaEngine::response(tlm::tlm_generic_payload& p) {
  failed_ += !p.is_response_ok();
  if (p.is_read()) {
    const sc_dt::uint64 line = p.get_address() - from_;
    tlm::tlm_generic_payload& write = payloads_.take(tlm::TLM_WRITE_COMMAND, to_ + line, kLine);
    std::copy_n(p.get_data_ptr(), kLine, write.get_data_ptr());
    to_write_.push_back(&write);
  } else {
    ++written_;
    --under_way_;
  }
  p.release();
  changed_.notify(sc_core::SC_ZERO_TIME);
}
