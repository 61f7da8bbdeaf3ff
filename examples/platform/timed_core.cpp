// SPDX-License-Identifier: Apache-2.0
#include "timed_core.h"

TimedCore::TimedCore(sc_core::sc_module_name name, sc_dt::uint64 rom, sc_dt::uint64 memory, unsigned rounds)
    : sc_module(name), rom_(rom), memory_(memory), rounds_(rounds) {
  SC_THREAD(run);
}

tlm::tlm_response_status TimedCore::access(tlm::tlm_command command, sc_dt::uint64 address,
                                           sc_dt::uint64& word) {
  tlm::tlm_generic_payload p;
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  p.set_data_length(sizeof word);
  p.set_streaming_width(sizeof word);
  sc_core::sc_time local = time_.get_local_time();
  socket->b_transport(p, local);  // the network waits until the local time
  time_.set(local);
  return p.get_response_status();
}

void TimedCore::run() {
  const sc_core::sc_time step(2, sc_core::SC_NS);
  time_.reset();
  sc_dt::uint64 sum = 0;
  while (!done()) {
    for (int instruction = 0; instruction < 20; ++instruction) {  // without an access
      time_.inc(step);
      if (time_.need_sync()) time_.sync();
    }
    sc_dt::uint64 word = 0;
    wrong_ += access(tlm::TLM_READ_COMMAND, rom_ + 8 * (done_ % 64), word) != tlm::TLM_OK_RESPONSE;
    sum += word;
    const sc_dt::uint64 place = memory_ + 8 * (done_ % 16);
    wrong_ += access(tlm::TLM_WRITE_COMMAND, place, sum) != tlm::TLM_OK_RESPONSE;
    word = 0;
    wrong_ += access(tlm::TLM_READ_COMMAND, place, word) != tlm::TLM_OK_RESPONSE || word != sum;
    if (done_ % 8 == 0) {
      const bool refused = access(tlm::TLM_WRITE_COMMAND, rom_, word) == tlm::TLM_COMMAND_ERROR_RESPONSE;
      wrong_ += !refused;
      refused_ += refused;
    }
    ++done_;
  }
}
