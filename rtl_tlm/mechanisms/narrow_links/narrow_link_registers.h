// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/narrow_links/narrow_links.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend::hardware {

/// Registers of the output of a port.
inline constexpr auto kNarrowOutputRegisters = std::to_array<RegisterEntry<PortView>>({
    {.name = "link_busy",
     .storage = stored_in<rows::NarrowPorts>,
     .greatest = [](const PortView& p) -> std::uint64_t {
       return NarrowLinks::link(p.state(), p.port()).flit_cycles - 1;
     },
     .read =
         [](const PortView& p) {
           const Cycle free_from = NarrowLinks::link(p.state(), p.port()).free_from;
           const Cycle next = p.layout().context.next_cycle;
           return RegisterValue(free_from > next ? free_from - next : 0);
         },
     .purpose = "Cycles for which the link still carries the last flit; no other leaves until they are over.",
     .present = {.when = "a link that is narrower than a flit",
                 .holds =
                     [](const PortView& p) {
                       return NarrowLinks::built(p.layout()) &&
                              NarrowLinks::link(p.state(), p.port()).flit_cycles > 1;
                     }}},
});

}  // namespace flitmend::hardware
