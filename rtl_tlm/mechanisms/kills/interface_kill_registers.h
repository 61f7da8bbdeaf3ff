// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/node/interface_registers.h"

namespace flitmend::hardware {

/// Registers of a receiver.
inline constexpr auto kKillReceiverRegisters = std::to_array<RegisterEntry<InterfacePart>>({
    {.name = "flits_received",
     .storage = Storage::object,
     .greatest = [](const InterfacePart&) -> std::uint64_t { return 0xffff; },
     .read = [](const InterfacePart& i) { return RegisterValue(i.receiver().flits_received()); },
     .purpose = "F_rec: flits of the message being received that have arrived; 0 after PAD, a tail or FKILL.",
     .present = with_padding<InterfacePart>},
});

}  // namespace flitmend::hardware
