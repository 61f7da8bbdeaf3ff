// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/tlm/element_sockets.h"

#include "rtl_tlm/tlm/network_sockets.h"

namespace flitmend {

unsigned InitiatorBinding::transport_dbg(int, tlm::tlm_generic_payload& p) {
  return sockets_.transport_dbg(p);
}

bool InitiatorBinding::get_direct_mem_ptr(int, tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
  return sockets_.get_direct_mem_ptr(p, dmi);
}

void TargetBinding::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  sockets_.invalidate_direct_mem_ptr(target_, first, last);
}

}  // namespace flitmend
