// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/circuits/circuits.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

namespace hardware {

template <class Owner>
inline constexpr Condition<Owner> with_circuits{
    .when = "APCS", .holds = [](const Owner& o) { return o.layout().holds_paths; }};
/// Of a head that may come back.
template <class Owner>
inline constexpr Condition<Owner> with_returning_heads{
    .when = "APCS, and `router.busy: retry` or `backtrack`",
    .holds = [](const Owner& o) { return o.layout().holds_paths || o.layout().heads_go_back; }};
template <class Owner>
inline constexpr Condition<Owner> with_history{
    .when = "APCS, and `router.busy: backtrack`",
    .holds = [](const Owner& o) { return o.layout().head_history; }};
template <class Owner>
inline constexpr Condition<Owner> with_probes{
    .when = "`router.busy: retry` or `backtrack`",
    .holds = [](const Owner& o) { return o.layout().heads_go_back; }};
template <class Owner>
inline constexpr Condition<Owner> with_complementary_channels{
    .when = "APCS, and `router.switching: pipelined-circuit`",
    .holds = [](const Owner& o) { return o.layout().complementary; }};
template <class Owner>
inline constexpr Condition<Owner> with_gates{
    .when = "APCS with `recovery.scouting` above 0, and `router.switching: pipelined-circuit`",
    .holds = [](const Owner& o) {
      return o.layout().complementary && (o.layout().scouting > 0 || !o.layout().holds_paths);
    }};
template <class Owner>
inline constexpr Condition<Owner> with_scouting{
    .when = "APCS with `recovery.scouting` above 0",
    .holds = [](const Owner& o) { return o.layout().holds_paths && o.layout().scouting > 0; }};

/// A control flit that waits in the complementary channel.
template <VcMask CircuitPort::*kKind>
constexpr RegisterEntry<VirtualChannel> complementary(std::string_view name, std::string_view purpose,
                                                      const Condition<VirtualChannel>& present) {
  return {.name = name,
          .form = RegisterForm::bit,
          .storage = stored_in<rows::CircuitPorts>,
          .read =
              [](const VirtualChannel& v) {
                const CircuitPort& port = Circuits::port(v.state(), v.state().port_of(v.id()));
                return RegisterValue(port.*kKind >> v.state().vc_of(v.id()) & 1);
              },
          .purpose = purpose,
          .present = present};
}

/// Registers of an output virtual channel.
inline constexpr auto kCircuitOutputVcRegisters = std::to_array<RegisterEntry<OutputVirtualChannel>>({
    {.name = "forward_kill_due",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CircuitPorts>,
     .read =
         [](const OutputVirtualChannel& v) {
           const CircuitPort& port = Circuits::port(v.state(), v.state().port_of(v.id()));
           return RegisterValue(port.forward_kills >> v.state().vc_of(v.id()) & 1);
         },
     .purpose = "A kill for the destination waits for the wire.",
     .present = with_circuits<OutputVirtualChannel>},
});

}  // namespace hardware

/// Further registers of an input virtual channel that can hold a circuit: router_3_4.east.vc1.
inline constexpr RegisterEntry<VirtualChannel> kCircuitRegisters[] = {
    {.name = "circuit.held",
     .form = RegisterForm::bit,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.path_held()); },
     .purpose = "The tail has left, and the circuit waits for its acknowledgement.",
     .present = hardware::with_circuits<VirtualChannel>},
    {.name = "circuit.attempt",
     .storage = stored_in<rows::Circuits>,
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return 0xffff; },
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::circuit(v.state(), v.id()).attempt); },
     .purpose = "How many times the message had been sent before, or its head had begun a search.",
     .present = hardware::with_returning_heads<VirtualChannel>},
    {.name = "circuit.tried",
     .storage = stored_in<rows::Circuits>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t {
       return low_bits(static_cast<unsigned>(v.layout().ports));
     },
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::circuit(v.state(), v.id()).tried); },
     .purpose = "History: the ports from which the head has come back, one bit each.",
     .present = hardware::with_history<VirtualChannel>},
    {.name = "circuit.returned",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CircuitWords>,
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::head_returned(v.state(), v.id())); },
     .purpose = "The head has come back, and is in its own slot in front of the input buffer.",
     .present = hardware::with_returning_heads<VirtualChannel>},
    {.name = "circuit.met_busy",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Circuits>,
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::circuit(v.state(), v.id()).met_busy); },
     .purpose = "Here or beyond, the head has met a healthy port whose channels were busy.",
     .present = hardware::with_probes<VirtualChannel>},
    {.name = "circuit.ahead",
     .storage = stored_in<rows::Circuits>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().scouting; },
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::circuit(v.state(), v.id()).ahead); },
     .purpose = "Routers after this one that the head is known to have left.",
     .present = hardware::with_scouting<VirtualChannel>},
    {.name = "circuit.gated",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::CircuitWords>,
     .read =
         [](const VirtualChannel& v) {
           return RegisterValue(
               (Circuits::masks(v.state(), v.id() / kWordBits).gated & RouterState::bit_of(v.id())) != 0);
         },
     .purpose = "Data may not follow the head yet.",
     .present = hardware::with_gates<VirtualChannel>},
    hardware::complementary<&CircuitPort::acknowledgements>(
        "complementary.acknowledgement", "Complementary channel: an acknowledgement waits for the wire.",
        hardware::with_complementary_channels<VirtualChannel>),
    hardware::complementary<&CircuitPort::kills>("complementary.kill", "The same for a kill.",
                                                 hardware::with_circuits<VirtualChannel>),
    hardware::complementary<&CircuitPort::backtracks>("complementary.backtrack",
                                                      "The same for a head that goes back.",
                                                      hardware::with_returning_heads<VirtualChannel>),
    hardware::complementary<&CircuitPort::dead_ends>("complementary.dead_end",
                                                     "That head has met dead ports only.",
                                                     hardware::with_probes<VirtualChannel>),
    {.name = "complementary.advance",
     .storage = stored_in<rows::Circuits>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().scouting; },
     .read =
         [](const VirtualChannel& v) { return RegisterValue(Circuits::circuit(v.state(), v.id()).untold); },
     .purpose = "How many signals wait that the head has left a router.",
     .present = hardware::with_scouting<VirtualChannel>},
    hardware::complementary<&CircuitPort::arrivals>(
        "complementary.reached", "The same for the signal that the head has reached its destination.",
        hardware::with_scouting<VirtualChannel>),
};

}  // namespace flitmend
