// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/kills/kills.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend::hardware {

/// Registers of an output virtual channel.
inline constexpr auto kKillOutputVcRegisters = std::to_array<RegisterEntry<OutputVirtualChannel>>({
    {.name = "kill_timer",
     .storage = stored_in<rows::KillTimers>,
     .greatest = [](const OutputVirtualChannel& v) -> std::uint64_t { return Kills::round_trip(v.layout()); },
     .read =
         [](const OutputVirtualChannel& v) {
           const Cycle next = v.layout().context.next_cycle, from = Kills::heeded_from(v.state(), v.id());
           return RegisterValue(from > next ? from - next : 0);
         },
     .purpose = "Cycles for which BKILL is ignored after FKILL: it was sent for the same message.",
     .present = with_padding<OutputVirtualChannel>},
});

}  // namespace flitmend::hardware
