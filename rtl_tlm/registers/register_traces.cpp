// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/registers/register_traces.h"

#include <utility>

namespace flitmend {

void RegisterTraces::Copy::update() {
  const std::optional<std::uint64_t> now = read();
  if (now == last) return;
  last = now;
  if (now)
    value = *now;
  else
    value = sc_dt::sc_lv_base(sc_dt::sc_logic(sc_dt::SC_LOGIC_Z), static_cast<int>(width));
}

const sc_dt::sc_lv_base& RegisterTraces::add(unsigned width, Read read) {
  Copy& copy = copies_.emplace_back(width, std::move(read));
  copy.value = sc_dt::sc_lv_base(sc_dt::sc_logic(sc_dt::SC_LOGIC_Z), static_cast<int>(width));
  copy.update();
  return copy.value;
}

void RegisterTraces::update_copies() {
  for (Copy& copy : copies_) copy.update();
}

}  // namespace flitmend
