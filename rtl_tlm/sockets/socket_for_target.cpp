// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/socket_for_target.h"

#include "base/text.h"
#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

sc_core::sc_module& TargetBinding::module() {
  return calls_.sockets;
}

void TargetBinding::Calls::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  sockets.invalidate_direct_mem_ptr(target, first, last);
}

void TargetBinding::connect(const sc_core::sc_object& socket, int bound, tlm::tlm_fw_transport_if<>* target) {
  if (bound > 1)
    SC_REPORT_ERROR("flitmend/tlm",
                    formatted("%1%: %2% targets are bound to it, and it is for one. Name each in "
                              "tlm.address_map, and bind it to NetworkOnChip::initiator_socket(NAME)",
                              socket.name(), bound)
                        .c_str());
  if (target) calls_.side.connect(calls_.target, *target);
}

}  // namespace flitmend
