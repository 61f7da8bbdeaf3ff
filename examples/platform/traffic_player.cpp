// SPDX-License-Identifier: Apache-2.0
#include "traffic_player.h"

#include <algorithm>

TrafficPlayer::TrafficPlayer(sc_core::sc_module_name name, sc_dt::uint64 first, unsigned bytes,
                             unsigned accesses, const sc_core::sc_time& period, unsigned seed)
    : sc_module(name), first_(first), copy_(bytes), accesses_(accesses), period_(period), random_(seed) {
  SC_THREAD(play);
}

void TrafficPlayer::play() {
  std::vector<unsigned char> data(32);
  while (!done()) {
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    const std::size_t offset = random_() % (copy_.size() / data.size()) * data.size();
    const auto mine = copy_.begin() + static_cast<std::ptrdiff_t>(offset);
    const bool write = random_() % 2 == 0;
    if (write)
      std::generate(data.begin(), data.end(), [this] { return static_cast<unsigned char>(random_()); });
    tlm::tlm_generic_payload p;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address(first_ + offset);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, delay);
    wait(delay);
    if (write) std::copy(data.begin(), data.end(), mine);
    wrong_ += !p.is_response_ok() || !std::equal(data.begin(), data.end(), mine);
    latency_ += sc_core::sc_time_stamp() - start;
    ++done_;
    if (start + period_ > sc_core::sc_time_stamp()) wait(start + period_ - sc_core::sc_time_stamp());
  }
}
