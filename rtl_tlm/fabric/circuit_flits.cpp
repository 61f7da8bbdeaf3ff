// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/fabric/circuit_flits.h"

#include "rtl_tlm/fabric/fabric.h"
#include "rtl_tlm/mechanisms/circuits/circuits.h"

namespace flitmend {

std::uint64_t circuit_flits(const Fabric& fabric) {
  std::uint64_t sum = 0;
  if (!fabric.context().hardware.complementary_channels()) return sum;
  for (RouterId r = 0; r < fabric.topology().router_count(); ++r)
    sum += Circuits::control_flits(fabric.router(r).state());
  return sum;
}

}  // namespace flitmend
