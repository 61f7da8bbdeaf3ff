// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/packetizer.h"

#include <algorithm>

#include "rtl_tlm/signals/message.h"

namespace flitmend {

Packetizer::Packetizer(const HardwareParameters& hardware) : flit_bytes_(hardware.link.flit_bytes) {
  std::uint32_t longest = kLongestMessage;
  if (needs_whole_room(hardware.router.technique())) {  // whole messages must fit in each buffer
    longest = std::min<std::uint32_t>(longest, hardware.router.input_buffer);
    if (hardware.router.output_buffer > 0)
      longest = std::min<std::uint32_t>(longest, hardware.router.output_buffer);
  }
  longest_ = longest > hardware.extra_flits ? longest - hardware.extra_flits : 0;
  per_message_ = data_flits(longest_) * flit_bytes_;
}

std::uint32_t Packetizer::flits(std::size_t bytes, std::size_t first) const {
  const std::size_t carried = std::min(per_message_, bytes - first);
  return static_cast<std::uint32_t>(2 + (carried + flit_bytes_ - 1) / flit_bytes_);
}

}  // namespace flitmend
