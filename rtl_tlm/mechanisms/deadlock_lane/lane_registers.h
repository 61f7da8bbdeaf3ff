// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/deadlock_lane/deadlock_lane.h"
#include "rtl_tlm/registers/channel_registers.h"
#include "rtl_tlm/registers/register_map.h"

namespace flitmend::hardware {

inline constexpr Condition<RouterView> with_deadlock_buffer{
    .when = "`deadlock.recovery: disha`",
    .holds = [](const RouterView& r) { return r.layout().has<rows::Lane>(); }};

/// The message in the deadlock buffer.
inline MessageIndex buffered_message(const RouterView& r) {
  const LaneState& lane = DeadlockLane::registers(r.state());
  return lane.full ? lane.flit.message : kNoMessage;
}
/// The number of a port or virtual channel, unless there is none.
inline RegisterValue unless_none(std::uint16_t id) {
  return id == kNoVc ? RegisterValue() : RegisterValue(id);
}

/// Registers of a router.
inline constexpr auto kLaneRouterRegisters = std::to_array<RegisterEntry<RouterView>>({
    {.name = "token",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Lane>,
     .read = [](const RouterView& r) { return RegisterValue(DeadlockLane::registers(r.state()).token); },
     .purpose =
         "The token is here, and no head has it: before the first cycle. Later it is on a wire or captured.",
     .present = with_deadlock_buffer},
    {.name = "token_from",
     .form = RegisterForm::port,
     .storage = stored_in<rows::Lane>,
     .read = [](const RouterView& r) { return unless_none(DeadlockLane::registers(r.state()).token_from); },
     .purpose = "Port by which the token came last; the next port of its tour follows.",
     .present = with_deadlock_buffer},
    {.name = "recovering",
     .form = RegisterForm::router_vc,
     .storage = stored_in<rows::Lane>,
     .read = [](const RouterView& r) { return unless_none(DeadlockLane::registers(r.state()).recovering); },
     .purpose = "Input virtual channel whose head has captured the token.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.occupied",
     .form = RegisterForm::bit,
     .storage = stored_in<rows::Lane>,
     .read = [](const RouterView& r) { return RegisterValue(DeadlockLane::registers(r.state()).full); },
     .purpose = "A flit is in the deadlock buffer.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.flit",
     .form = RegisterForm::flits,
     .storage = stored_in<rows::Lane>,
     .greatest = [](const RouterView&) -> std::uint64_t { return 1; },
     .purpose = "The deadlock buffer.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.kind",
     .form = RegisterForm::flit_kind,
     .read =
         [](const RouterView& r) {
           return RegisterValue(static_cast<Word>(DeadlockLane::registers(r.state()).full
                                                      ? DeadlockLane::registers(r.state()).flit.kind
                                                      : FlitKind::none));
         },
     .purpose = "Kind of the flit in the deadlock buffer.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.output",
     .form = RegisterForm::port,
     .storage = stored_in<rows::Lane>,
     .read = [](const RouterView& r) { return unless_none(DeadlockLane::registers(r.state()).output); },
     .purpose = "Output port of the message in the deadlock buffer, until its tail has left.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.source",
     .form = RegisterForm::node,
     .read =
         [](const RouterView& r) {
           return message_field<&Message::source>(r.layout().messages, buffered_message(r));
         },
     .purpose = "Source of that message.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.destination",
     .form = RegisterForm::node,
     .read =
         [](const RouterView& r) {
           return message_field<&Message::destination>(r.layout().messages, buffered_message(r));
         },
     .purpose = "Its destination.",
     .present = with_deadlock_buffer},
    {.name = "deadlock_buffer.id",
     .form = RegisterForm::message_id,
     .read =
         [](const RouterView& r) {
           return message_field<&Message::id>(r.layout().messages, buffered_message(r));
         },
     .purpose = "Its id, counted per source.",
     .present = with_deadlock_buffer},
});

}  // namespace flitmend::hardware
