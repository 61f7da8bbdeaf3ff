// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/sockets/socket_for_initiators.h"

#include "rtl_tlm/sockets/network_sockets.h"

namespace flitmend {

sc_core::sc_module& InitiatorBinding::module() {
  return sockets_;
}

void InitiatorBinding::refuse_direction(const sc_core::sc_object& socket, const std::string& other) {
  SC_REPORT_ERROR("flitmend/tlm", (std::string(socket.name()) + " is bound to " + other +
                                   "; bind that to it instead: OTHER.bind(" + socket.basename() + ")")
                                      .c_str());
}

}  // namespace flitmend
