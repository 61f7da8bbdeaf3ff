// SPDX-License-Identifier: Apache-2.0
#include "rtl_tlm/node/interface_registers.h"

namespace flitmend {

std::uint64_t interface_bits(const RouterLayout& layout) {
  std::uint64_t bits = 0;
  const auto count = [&](const auto& entries, const InterfacePart& owner) {
    for (const auto& entry : entries) bits += storage_bits(entry, owner);
  };
  count(kInjectorRegisters, InterfacePart(nullptr, layout));
  count(kReceiverRegisters, InterfacePart(nullptr, layout));
  for (unsigned vc = 0; vc < layout.vcs; ++vc)
    count(kInjectorVcRegisters, InterfacePart(nullptr, layout, vc));
  return bits;
}

}  // namespace flitmend
