// SPDX-License-Identifier: Apache-2.0
// The register map of a router: every hardware register, once. To add one, add an entry here (of a mechanism:
// in its folder) and, unless it is derived, a field to a row (router_rows.h). Waves, SystemC objects, storage
// bits and docs/hardware.md are generated from this map.
#pragma once
#include <algorithm>
#include <array>

#include "rtl_tlm/registers/register_entry.h"
#include "rtl_tlm/registers/virtual_channel.h"

namespace flitmend {

namespace hardware {

template <class Owner>
inline constexpr Condition<Owner> with_stage_timer{
    "`router.pipeline` with `routing` or `vc_allocation` above 0",
    [](const Owner& o) { return o.layout().routing_cycles + o.layout().vc_allocation_cycles > 0; }};
template <class Owner>
inline constexpr Condition<Owner> with_output_buffers{
    "`router.output_buffer` above 0", [](const Owner& o) { return o.layout().output_buffer > 0; }};
template <class Owner>
inline constexpr Condition<Owner> with_head_copies{"`router.head_copy`",
                                                   [](const Owner& o) { return o.layout().has_head_copies; }};
template <class Owner>
inline constexpr Condition<Owner> with_holder_states{
    "routing that looks at outputs", [](const Owner& o) { return o.layout().looks_at_outputs; }};
template <class Owner>
inline constexpr Condition<Owner> with_switch_allocator{
    "`router.crossbar: port`",
    [](const Owner& o) { return !o.layout().crossbar_by_vc && !o.layout().crossbar_input_per_vc; }};
template <class Owner>
inline constexpr Condition<Owner> with_vc_inputs{
    "`router.crossbar: virtual-channel-inputs`",
    [](const Owner& o) { return o.layout().crossbar_input_per_vc; }};
template <class Owner>
inline constexpr Condition<Owner> with_vc_pointers{"`router.vc_selection: round-robin`",
                                                   [](const Owner& o) { return !o.layout().draws_vcs; }};
template <class Owner>
inline constexpr Condition<Owner> with_recovery_units{
    .when = "a recovery protocol", .holds = [](const Owner& o) { return o.layout().recovery_units; }};
template <class Owner>
inline constexpr Condition<Owner> with_flit_counters{
    .when = "a recovery protocol that counts flits",
    .holds = [](const Owner& o) { return o.layout().flit_counters; }};
template <class Owner>
inline constexpr Condition<Owner> with_padding{.when = "FCR",
                                               .holds = [](const Owner& o) { return o.layout().padding; }};

template <class Owner>
inline constexpr Condition<Owner> with_wait_timer{
    .when = "a recovery protocol, or `deadlock.recovery: disha`",
    .holds = [](const Owner& o) { return o.layout().context.hardware.has_units(); }};

template <class Owner>
inline constexpr Condition<Owner> with_intermediate_nodes{
    .when = "routing through intermediate nodes",
    .holds = [](const Owner& o) { return o.layout().context.routing.names_intermediates(); }};

/// What the head that waits in a virtual channel says of intermediate nodes.
inline std::optional<IntermediateFields> waiting_intermediates(const VirtualChannel& v) {
  if (v.route_fsm() != RouteFsm::needs_route) return std::nullopt;
  return v.layout().context.routing.intermediate_fields(v.layout().messages[v.message()].head_state);
}

/// The message in the head-copy register, while the register is in use.
inline MessageIndex copied_message(const VirtualChannel& v) {
  return v.route_fsm() == RouteFsm::idle ? kNoMessage : v.head_copy().message;
}

/// The entries of these arrays one after the other.
template <class Entry, std::size_t... n>
constexpr auto joined(const std::array<Entry, n>&... parts) {
  std::array<Entry, (n + ...)> all{};
  std::size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), all.begin() + static_cast<std::ptrdiff_t>(at)), at += n), ...);
  return all;
}

}  // namespace hardware

namespace hardware {

/// Registers of an input virtual channel, without those of the mechanisms in folders of their own.
inline constexpr auto kInputVcRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "route_fsm",
     .form = RegisterForm::route_fsm,
     .storage = stored_in<rows::Header>,
     .read = [](const VirtualChannel& v) { return RegisterValue(static_cast<Word>(v.route_fsm())); },
     .purpose = "State of the route FSM."},
    {.name = "stage",
     .form = RegisterForm::stage,
     .storage = stored_in<rows::Routes>,
     .read = [](const VirtualChannel& v) { return RegisterValue(static_cast<Word>(v.stage())); },
     .purpose = "Pipeline stage of the head at the front."},
    {.name = "stage_timer",
     .storage = stored_in<rows::Routes>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t {
       // A head that reaches the front after a tail waits until the next cycle begins.
       return std::max(
           {v.layout().routing_cycles + 1, v.layout().vc_allocation_cycles, v.layout().withdrawn_cycles});
     },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.cycles_left()); },
     .purpose = "Cycles until that stage may finish.",
     .present = with_stage_timer<VirtualChannel>},
    {.name = "credits",
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_buffer; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.credits()); },
     .purpose = "Credits of the output virtual channel held: free slots in the next buffer."},
    {.name = "input_buffer",
     .storage = stored_in<rows::InputVcs>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_slots; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.input_buffer()); },
     .purpose =
         "Flits in the input buffer. With UTP, a restart head in the head-copy register counts; with APCS, a "
         "head that has come back."},
    {.name = "input_buffer_first",
     .storage = stored_in<rows::InputVcs>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_slots - 1; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.registers().first); },
     .purpose = "Read pointer of the input buffer: slot of the front flit."},
    {.name = "input_buffer_flits",
     .form = RegisterForm::flits,
     .storage = stored_in<rows::InputFlits>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().input_flits; },
     .purpose = "The flits of the input buffer. With APCS one more, for a head that has come back."},
    {.name = "flit_counter",
     .storage = stored_in<rows::InputVcs>,
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return 0xffff; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.flit_counter()); },
     .purpose = "Flits of the current message that have crossed the crossbar.",
     .counted = with_flit_counters<VirtualChannel>},
    {.name = "output_vc",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::InputVcs>,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.output_vc()); },
     .purpose = "Output virtual channel held until the tail has crossed."},
    {.name = "candidates",
     .storage = stored_in<rows::Routes>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().max_candidates; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.route().candidates); },
     .purpose = "Number of candidates from the last route computation."},
    {.name = "candidate_list",
     .form = RegisterForm::candidates,
     .storage = stored_in<rows::Routes>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().max_candidates; },
     .purpose = "Output port and class of each candidate."},
    {.name = "chosen_candidate",
     .storage = stored_in<rows::Routes>,
     .greatest = [](const VirtualChannel& v) -> std::uint64_t { return v.layout().max_candidates - 1; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.route().chosen); },
     .purpose = "Index of the candidate requested by or granted to the head."},
    {.name = "output_port",
     .form = RegisterForm::port,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.output_port()); },
     .purpose = "Output port of that candidate."},
    {.name = "vc_accept_pointer",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::VcAllocatorPointers>,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.state().vc_pointers()[v.id()].output); },
     .purpose = "Accept pointer of the VC allocator: the output virtual channel accepted last.",
     .present = with_vc_pointers<VirtualChannel>},
});

/// Those that recovery units use.
inline constexpr auto kInputRecoveryRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "flushing",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Routes>,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.route().flushing); },
     .purpose = "ABSORB ends when the input buffer is empty, not after a tail.",
     .present = with_recovery_units<VirtualChannel>},
    {.name = "wait_timer",
     .storage = stored_in<rows::Routes>,
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return 0xffff; },
     .read = [](const VirtualChannel& v) { return RegisterValue(v.route().waited); },
     .purpose = "Cycles that the head has waited at a fault; with Disha, for an output virtual channel.",
     .present = with_wait_timer<VirtualChannel>},
    {.name = "tail_due",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Extras>,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.tail_due()); },
     .purpose = "A broken tail (NFT) waits for room in the input buffer.",
     .present = with_recovery_units<VirtualChannel>},
    {.name = "resync_due",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Extras>,
     .read = [](const VirtualChannel& v) { return RegisterValue(v.resync_due()); },
     .purpose = "Raises RESYNC when it is idle.",
     .present = with_recovery_units<VirtualChannel>},
});

/// What heads say, and head-copy registers.
inline constexpr auto kHeadRegisters = std::to_array<RegisterEntry<VirtualChannel>>({
    {.name = "head.source",
     .form = RegisterForm::node,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::source>(v.layout().messages, v.message());
         },
     .purpose = "Source of the message in the virtual channel."},
    {.name = "head.destination",
     .form = RegisterForm::node,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::destination>(v.layout().messages, v.message());
         },
     .purpose = "Its destination."},
    {.name = "head.id",
     .form = RegisterForm::message_id,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::id>(v.layout().messages, v.message());
         },
     .purpose = "Its id, counted per source."},
    {.name = "head.intermediates",
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return 15; },
     .read =
         [](const VirtualChannel& v) {
           const auto fields = waiting_intermediates(v);
           return fields ? RegisterValue(fields->left) : RegisterValue();
         },
     .purpose = "I: intermediate nodes ahead of the head that waits for a route.",
     .present = with_intermediate_nodes<VirtualChannel>},
    {.name = "head.intermediate",
     .form = RegisterForm::node,
     .read =
         [](const VirtualChannel& v) {
           const auto fields = waiting_intermediates(v);
           return fields && fields->left > 0 ? RegisterValue(fields->next) : RegisterValue();
         },
     .purpose = "The first of them.",
     .present = with_intermediate_nodes<VirtualChannel>},
    {.name = "head.segment",
     .greatest = [](const VirtualChannel&) -> std::uint64_t { return 15; },
     .read =
         [](const VirtualChannel& v) {
           const auto fields = waiting_intermediates(v);
           return fields ? RegisterValue(fields->segment) : RegisterValue();
         },
     .purpose = "Intermediate nodes that it has passed.",
     .present = with_intermediate_nodes<VirtualChannel>},
    {.name = "head_copy.source",
     .form = RegisterForm::node,
     .storage = stored_in<rows::HeadCopies>,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::source>(v.layout().messages, copied_message(v));
         },
     .purpose = "Head-copy register: source of the message whose head most recently reached the front.",
     .present = with_head_copies<VirtualChannel>},
    {.name = "head_copy.destination",
     .form = RegisterForm::node,
     .storage = stored_in<rows::HeadCopies>,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::destination>(v.layout().messages, copied_message(v));
         },
     .purpose = "Its destination.",
     .present = with_head_copies<VirtualChannel>},
    {.name = "head_copy.id",
     .form = RegisterForm::message_id,
     .storage = stored_in<rows::HeadCopies>,
     .read =
         [](const VirtualChannel& v) {
           return message_field<&Message::id>(v.layout().messages, copied_message(v));
         },
     .purpose = "Its id, counted per source.",
     .present = with_head_copies<VirtualChannel>},
    {.name = "head_copy.word",
     .form = RegisterForm::word,
     .storage = stored_in<rows::HeadCopies>,
     .read =
         [](const VirtualChannel& v) {
           return copied_message(v) == kNoMessage ? RegisterValue()
                                                            : RegisterValue(v.head_copy().word);
         },
     .purpose = "Routing state of that head when it reached the front.",
     .present = with_head_copies<VirtualChannel>},
});

/// Registers of an output virtual channel, without those of the mechanisms in folders of their own.
inline constexpr auto kOutputVcRegisters = std::to_array<RegisterEntry<OutputVirtualChannel>>({
    {.name = "owner",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::OutputVcs>,
     .read = [](const OutputVirtualChannel& v) { return RegisterValue(v.owner()); },
     .purpose = "Input virtual channel that holds it."},
    {.name = "credits",
     .storage = stored_in<rows::OutputVcs>,
     .greatest = [](const OutputVirtualChannel& v) -> std::uint64_t { return v.layout().input_buffer; },
     .read = [](const OutputVirtualChannel& v) { return RegisterValue(v.credits()); },
     .purpose = "Free slots in the next buffer (the *flow control counter*)."},
    {.name = "free",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::PortVcs>,
     .read = [](const OutputVirtualChannel& v) { return RegisterValue(v.free()); },
     .purpose = "It has no owner and may be given to a new message."},
    {.name = "vc_grant_pointer",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::VcAllocatorPointers>,
     .read =
         [](const OutputVirtualChannel& v) { return RegisterValue(v.state().vc_pointers()[v.id()].input); },
     .purpose = "Grant pointer of the VC allocator: the input virtual channel granted last.",
     .present = with_vc_pointers<OutputVirtualChannel>},
    {.name = "output_buffer",
     .storage = stored_in<rows::OutputBuffers>,
     .greatest = [](const OutputVirtualChannel& v) -> std::uint64_t { return v.layout().output_buffer; },
     .read = [](const OutputVirtualChannel& v) { return RegisterValue(v.output_buffer()); },
     .purpose = "Flits in the output buffer or on their way to it.",
     .present = with_output_buffers<OutputVirtualChannel>},
    {.name = "output_buffer_first",
     .storage = stored_in<rows::OutputBuffers>,
     .greatest = [](const OutputVirtualChannel& v) -> std::uint64_t { return v.layout().output_buffer - 1; },
     .read =
         [](const OutputVirtualChannel& v) { return RegisterValue(v.state().output_buffer(v.id()).first); },
     .purpose = "Read pointer of the output buffer: slot of the front flit.",
     .present = with_output_buffers<OutputVirtualChannel>},
    {.name = "output_buffer_flits",
     .form = RegisterForm::flits,
     .storage = stored_in<rows::OutputSlots>,
     .greatest = [](const OutputVirtualChannel& v) -> std::uint64_t { return v.layout().output_buffer; },
     .purpose = "The flits of the output buffer.",
     .present = with_output_buffers<OutputVirtualChannel>},
    {.name = "holder_state",
     .form = RegisterForm::word,
     .storage = stored_in<rows::HolderStates>,
     .read =
         [](const OutputVirtualChannel& v) {
           return v.owner() ? RegisterValue(v.state().holder_state(v.id())) : RegisterValue();
         },
     .purpose = "Routing state of the head that took it.",
     .present = with_holder_states<OutputVirtualChannel>},
    {.name = "held",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Extras>,
     .read = [](const OutputVirtualChannel& v) { return RegisterValue(v.held()); },
     .purpose = "A recovery unit keeps it from being allocated.",
     .present = with_recovery_units<OutputVirtualChannel>},
});

}  // namespace hardware

/// Registers of a port: router_3_4.east.
inline constexpr RegisterEntry<PortView> kPortRegisters[] = {
    {.name = "faulty",
     .form = RegisterForm::fault,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.faulty()); },
     .purpose = "Fault status bit of the channel that leaves."},
    {.name = "input_faulty",
     .form = RegisterForm::fault,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.input_faulty()); },
     .purpose = "Fault status bit of the channel that arrives.",
     .present = hardware::with_recovery_units<PortView>},
    {.name = "switch_accept_pointer",
     .form = RegisterForm::port,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.switch_pointers().last_output); },
     .purpose = "Accept pointer of the switch allocator: the output that this input accepted last.",
     .present = hardware::with_switch_allocator<PortView>},
    {.name = "switch_vc_pointer",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.switch_pointers().last_vc); },
     .purpose = "Round-robin pointer of this input: the virtual channel that sent last.",
     .present = hardware::with_switch_allocator<PortView>},
};

namespace hardware {

/// Registers of the output of a port, without those of the mechanisms in folders of their own.
inline constexpr auto kOutputRegisters = std::to_array<RegisterEntry<PortView>>({
    {.name = "granted_input",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::Ports>,
     .read = [](const PortView& p) { return RegisterValue(p.granted_input()); },
     .purpose = "Crossbar: the input virtual channel whose flit crosses to this output in this cycle."},
    {.name = "switch_grant_pointer",
     .form = RegisterForm::port,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.switch_pointers().last_input); },
     .purpose = "Grant pointer of the switch allocator: the input that this output granted last.",
     .present = with_switch_allocator<PortView>},
    {.name = "crossbar_pointer",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::Arbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.switch_pointers().last_vc); },
     .purpose = "Round-robin pointer of this output: the input virtual channel granted last.",
     .present = with_vc_inputs<PortView>},
    {.name = "link_pointer",
     .form = RegisterForm::vc,
     .storage = stored_in<rows::LinkArbiters>,
     .read = [](const PortView& p) { return RegisterValue(p.state().link_arbiter(p.port()).pointer); },
     .purpose = "Round-robin pointer of the link: the virtual channel whose turn is next.",
     .present = with_output_buffers<PortView>},
});

/// Registers of a router, without those of the mechanisms in folders of their own.
inline constexpr auto kRouterRegisters = std::to_array<RegisterEntry<RouterView>>({
    {.name = "down",
     .form = RegisterForm::fault,
     .storage = stored_in<rows::Header>,
     .read = [](const RouterView& r) { return RegisterValue(r.down()); },
     .purpose = "A fault has put the router out of action.",
     .present = with_recovery_units<RouterView>},
});

}  // namespace hardware

}  // namespace flitmend
