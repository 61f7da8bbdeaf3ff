// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>

#include "support/tlm_elements.h"
#include "testbench/configuration/loader.h"

namespace flitmend {

/// A configuration as a platform's file gives it.
inline Configuration platform(const std::string& text) {
  return parse_configuration(text, "noc.yaml", {});
}

/// An initiator that writes to and reads from one node, and checks what it reads.
struct WriteAndRead {
  FormedInitiator element;
  unsigned left, wrong = 0;
  WriteAndRead(const char* name, PayloadPool& pool, std::uint64_t address, unsigned transactions)
      : element(name), left(transactions) {
    element.next = [this, &pool, address](sc_core::sc_time&) -> tlm::tlm_generic_payload* {
      if (left == 0) return nullptr;
      --left;
      auto* const p = pool.acquire(left % 2 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                   address + 8 * (left / 2 % 64), 8);
      std::fill_n(p->get_data_ptr(), 8, static_cast<unsigned char>(left / 2));
      return p;
    };
    element.answered = [this](tlm::tlm_generic_payload& p) {
      wrong += !p.is_response_ok();
      if (p.is_read())
        wrong += p.get_data_ptr()[7] != static_cast<unsigned char>(expected--);
      else
        expected = p.get_data_ptr()[7];
    };
  }
  unsigned expected = 0;
};

}  // namespace flitmend
