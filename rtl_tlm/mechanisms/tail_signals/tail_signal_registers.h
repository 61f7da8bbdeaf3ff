// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/tail_signals/injector_shadows.h"
#include "rtl_tlm/mechanisms/tail_signals/tail_signals.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend::hardware {

template <class Owner>
inline constexpr Condition<Owner> with_tail_signals{
    .when = "SBRP-0 and SBRP-1", .holds = [](const Owner& o) { return TailSignals::built(o.layout()); }};

/// A field of an owner's shadow register. kShadow(owner): the packet in it, null while it is not in use.
template <class Owner, auto kShadow, auto kField>
constexpr RegisterEntry<Owner> shadow_entry(std::string_view name, Storage storage, std::string_view purpose,
                                            RegisterForm form = RegisterForm::number,
                                            Condition<Owner> counted = {}) {
  RegisterEntry<Owner> entry{.name = name,
                             .form = form,
                             .storage = storage,
                             .read =
                                 [](const Owner& o) {
                                   const SentPacket* const shadow = kShadow(o);
                                   return shadow ? RegisterValue(shadow->packet.*kField) : RegisterValue();
                                 },
                             .purpose = purpose,
                             .present = with_tail_signals<Owner>,
                             .counted = counted};
  if (form == RegisterForm::number) entry.greatest = [](const Owner&) -> std::uint64_t { return 0xffff; };
  return entry;
}

/// The shadow registers of routers and injectors.
template <class Owner, auto kShadow>
constexpr auto shadow_entries(Storage lingering, Storage shadow) {
  return std::array{
      RegisterEntry<Owner>{
          .name = "lingering",
          .form = RegisterForm::bit,
          .storage = lingering,
          .read = [](const Owner& o) { return RegisterValue(kShadow(o) != nullptr); },
          .purpose =
              "LINGER: the shadow register is in use, because a tail has left and TAILGONE has not arrived.",
          .present = with_tail_signals<Owner>},
      shadow_entry<Owner, kShadow, &CutMessage::source>(
          "shadow.source", shadow, "Shadow register: source of the message whose tail has left.",
          RegisterForm::node),
      shadow_entry<Owner, kShadow, &CutMessage::destination>("shadow.destination", shadow, "Its destination.",
                                                             RegisterForm::node),
      shadow_entry<Owner, kShadow, &CutMessage::id>("shadow.id", shadow, "Its id, counted per source.",
                                                    RegisterForm::message_id),
      shadow_entry<Owner, kShadow, &CutMessage::length>("shadow.length", shadow,
                                                        "Its length in flits, or that of the piece."),
      shadow_entry<Owner, kShadow, &CutMessage::sub_message>("shadow.sub_message", shadow,
                                                             "SSNF: serial number of the piece."),
      shadow_entry<Owner, kShadow, &CutMessage::first>("shadow.first", shadow,
                                                       "FSN: number of its first data flit.",
                                                       RegisterForm::number, with_flit_counters<Owner>),
      shadow_entry<Owner, kShadow, &CutMessage::count>("shadow.count", shadow,
                                                       "Number of its flits that have left.",
                                                       RegisterForm::number, with_flit_counters<Owner>)};
}

/// The shadow register of an output virtual channel, null while it is not in use.
inline const TailShadow* shadow_of(const OutputVirtualChannel& v) {
  return TailSignals::lingering(v.state(), v.id()) ? &TailSignals::shadow(v.state(), v.id()) : nullptr;
}

/// Registers of an input virtual channel.
inline constexpr auto kTailInputRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "tail_owed",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::TailPorts>,
     .read = [](const VirtualChannel& v) { return RegisterValue(TailSignals::owed(v.state(), v.id())); },
     .purpose = "A tail has arrived, and TAILGONE has not been sent for it.",
     .present = with_tail_signals<VirtualChannel>},
});

/// Registers of an output virtual channel.
inline constexpr auto kTailOutputRegisters = joined(
    shadow_entries<OutputVirtualChannel, shadow_of>(stored_in<rows::TailPorts>, stored_in<rows::TailShadows>),
    std::to_array<RegisterEntry<OutputVirtualChannel>>({
        {.name = "shadow.input_vc",
         .form = RegisterForm::router_vc,
         .storage = stored_in<rows::TailShadows>,
         .read =
             [](const OutputVirtualChannel& v) {
               const TailShadow* const shadow = shadow_of(v);
               const unsigned id = shadow ? shadow->came_from : kNoVc;
               return id == kNoVc ? RegisterValue() : RegisterValue(id);
             },
         .purpose = "Input virtual channel from which it came; none once TAILGONE has been sent there.",
         .present = with_tail_signals<OutputVirtualChannel>},
    }));

/// The same of a virtual channel of an injector. Part: InterfacePart.
template <class Part>
const SentPacket* injector_shadow_of(const Part& i) {
  return i.injector().template mechanism<InjectorShadows>().shadow(i.vc());
}

/// Registers of a virtual channel of an injector.
template <class Part>
inline constexpr auto kTailInjectorRegisters =
    shadow_entries<Part, injector_shadow_of<Part>>(Storage::object, Storage::object);

}  // namespace flitmend::hardware
