// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/socket_for_initiators.h"

#include "base/text.h"
#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

unsigned WayIn::call_transport_dbg(tlm::tlm_generic_payload& p) {
  return sockets_.transport_dbg(p);
}

bool WayIn::call_get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
  return sockets_.get_direct_mem_ptr(p, dmi);
}

void WayIn::refuse(const std::string& socket, const std::string& why) {
  SC_REPORT_ERROR("flitmend/tlm", (socket + ": " + why).c_str());
  std::abort();  // if the user's report handler ignores an error
}

InitiatorEntry::BackwardPort& InitiatorEntry::back() {
  if (!back_) {
    const HierarchyScope scope(sockets_);
    back_.emplace((name_ + "_back").c_str());
  }
  return *back_;
}

InitiatorEntry::ForwardExport& InitiatorEntry::forward() {
  if (!forward_) {
    const HierarchyScope scope(sockets_);
    forward_.emplace((name_ + "_forward").c_str());
    forward_->bind(*this);
  }
  return *forward_;
}

void InitiatorEntry::connect() {
  const int initiators = back_ ? back_->size() : 0;
  if (initiators > 1 || callers_.size() > 1)
    refuse(socket_, joined(callers_) +
                        " come through one socket of a module, which passes their calls on without saying "
                        "whose they are. Make that socket a tlm_utils::multi_passthrough_target_socket, or "
                        "bind each of them to " +
                        socket_ + " itself");
  if (initiators == 0) {
    if (!callers_.empty())
      refuse(socket_, callers_.front() + " is a port without a way back; bind a TLM-2.0 initiator socket");
    return;  // a socket of a module around the network, to which nothing is bound
  }
  number_ = next_number();
  WayIn::connect(*(*back_)[0]);
}

sc_core::sc_module& InitiatorBinding::module() {
  return sockets_;
}

void InitiatorBinding::refuse_direction(const sc_core::sc_object& socket, const std::string& other) {
  SC_REPORT_ERROR("flitmend/tlm", (std::string(socket.name()) + " is bound to " + other +
                                   "; bind that to it instead: OTHER.bind(" + socket.basename() + ")")
                                      .c_str());
}

}  // namespace flitmend
