// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <algorithm>

void MemoryArray::execute(tlm::tlm_generic_payload& p) {
  const std::size_t first = p.get_address(), count = p.get_data_length();
  const bool refuses = first + count > bytes_.size() || (p.is_write() && read_only_);
  if (refuses || p.get_byte_enable_ptr() || p.get_streaming_width() < count) {
    p.set_response_status(first + count > bytes_.size() ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                          : refuses                     ? tlm::TLM_COMMAND_ERROR_RESPONSE
                          : p.get_byte_enable_ptr()     ? tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE
                                                        : tlm::TLM_BURST_ERROR_RESPONSE);
    ++refused_;
    return;
  }
  const auto at = bytes_.begin() + static_cast<std::ptrdiff_t>(first);
  if (p.is_write()) std::copy_n(p.get_data_ptr(), count, at);
  if (p.is_read()) std::copy_n(at, count, p.get_data_ptr());
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  ++served_;
}
