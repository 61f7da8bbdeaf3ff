// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/blocking_target.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <utility>

namespace flitmend {

BlockingTarget::BlockingTarget(tlm::tlm_fw_transport_if<>& target, const sc_core::sc_report& refusal,
                               std::string name, Respond respond)
    : target_(target), refusal_(refusal), name_(std::move(name)), respond_(std::move(respond)) {
  sc_core::sc_spawn([this] { serve(); }, sc_core::sc_gen_unique_name("blocking_target"));
}

tlm::tlm_sync_enum BlockingTarget::nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
  request_ = &p;
  asked_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

void BlockingTarget::call(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
  try {
    target_.b_transport(p, delay);
  } catch (const sc_core::sc_report& report) {
    if (refusal_ && report.get_severity() == sc_core::SC_ERROR)
      SC_REPORT_ERROR(refusal_->get_msg_type(),
                      (name_ + ": nb_transport_fw reports \"" + refusal_->get_msg() +
                       "\", and b_transport \"" + report.get_msg() + "\"")
                          .c_str());
    throw;
  }
  refusal_.reset();
}

void BlockingTarget::serve() {
  for (;;) {
    while (!request_) sc_core::wait(asked_);
    tlm::tlm_generic_payload& p = *std::exchange(request_, nullptr);
    sc_core::sc_time delay;
    call(p, delay);
    respond_(p, delay);
  }
}

}  // namespace flitmend
