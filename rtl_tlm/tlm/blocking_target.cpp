// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/blocking_target.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <utility>

namespace flitmend {

BlockingTarget::BlockingTarget(tlm::tlm_fw_transport_if<>& target, Respond respond)
    : target_(target), respond_(std::move(respond)) {
  sc_core::sc_spawn([this] { serve(); }, sc_core::sc_gen_unique_name("blocking_target"));
}

tlm::tlm_sync_enum BlockingTarget::nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
  request_ = &p;
  asked_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

void BlockingTarget::serve() {
  for (;;) {
    while (!request_) sc_core::wait(asked_);
    tlm::tlm_generic_payload& p = *std::exchange(request_, nullptr);
    sc_core::sc_time delay;
    target_.b_transport(p, delay);
    respond_(p, delay);
  }
}

}  // namespace flitmend
