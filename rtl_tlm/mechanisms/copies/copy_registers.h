// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/copies/copies.h"
#include "rtl_tlm/mechanisms/copies/injector_copies.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend::hardware {

template <class Owner>
inline constexpr Condition<Owner> with_copies{
    .when = "UTP", .holds = [](const Owner& o) { return Copies::built(o.layout()); }};
template <class Owner>
inline constexpr Condition<Owner> with_copies_in_output_buffers{
    .when = "UTP and `router.output_buffer` above 0",
    .holds = [](const Owner& o) { return Copies::built(o.layout()) && o.layout().output_buffer > 0; }};

/// Registers of an input virtual channel.
inline constexpr auto kCopyInputRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "copies",
     .storage = stored_in<rows::Copies>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_buffer; },
     .read = [](const VirtualChannel& v) { return RegisterValue(Copies::counts_of(v.state(), v.id()).kept); },
     .purpose = "Sent flits whose copies are kept in the input buffer (two-step flow control).",
     .present = with_copies<VirtualChannel>},
    {.name = "copies_told",
     .storage = stored_in<rows::Copies>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_buffer; },
     .read = [](const VirtualChannel& v) { return RegisterValue(Copies::counts_of(v.state(), v.id()).told); },
     .purpose = "Of these, the flits for which COPIED has been sent; the others are in the output buffer.",
     .present = with_copies_in_output_buffers<VirtualChannel>},
    {.name = "copies_resent",
     .storage = stored_in<rows::Copies>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_slots; },
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Copies::counts_of(v.state(), v.id()).resent); },
     .purpose = "Flits at the front that are sent again: COPIED has been sent for them.",
     .present = with_copies<VirtualChannel>},
    {.name = "closing",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CopyWords>,
     .read = [](const VirtualChannel& v) { return RegisterValue(Copies::closing(v.state(), v.id())); },
     .purpose = "The tail has left, and copies are still kept.",
     .present = with_copies<VirtualChannel>},
    {.name = "restart_head",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CopyWords>,
     .read = [](const VirtualChannel& v) { return RegisterValue(Copies::has_own_head(v.state(), v.id())); },
     .purpose = "The oldest flit or copy is a restart head, in the head-copy register.",
     .present = with_copies<VirtualChannel>},
    {.name = "renaming",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CopyWords>,
     .read = [](const VirtualChannel& v) { return RegisterValue(Copies::renaming(v.state(), v.id())); },
     .purpose = "The flits that arrive continue a restarted message.",
     .present = with_copies<VirtualChannel>},
});

/// Registers of a virtual channel of an injector. Part: InterfacePart.
template <class Part>
inline constexpr auto kCopyInjectorRegisters = std::to_array<RegisterEntry<Part>>({
    {.name = "uncopied",
     .storage = Storage::object,
     .greatest = [](const Part&) -> std::uint64_t { return 0xffff; },
     .read =
         [](const Part& i) {
           return RegisterValue(i.injector().template mechanism<InjectorCopies>().uncopied(
               i.vc(), i.injector().next_flit(i.vc())));
         },
     .purpose = "Flits sent through it for which COPIED has not arrived.",
     .present = with_copies<Part>},
});

}  // namespace flitmend::hardware
