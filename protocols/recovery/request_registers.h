// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "protocols/recovery/break_unit.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend {

namespace hardware {

inline const BreakUnit& break_unit(const UnitView& v) {
  return v.unit<BreakingUnit>().break_unit();
}

inline constexpr Condition<UnitView> kInSwitches{.when = "a switch", .holds = [](const UnitView& v) {
                                                   return v.layout().context.hardware.switches_ask &&
                                                          v.layout().local_port == RouterLayout::kNoPort;
                                                 }};
inline constexpr Condition<UnitView> kInNodes{
    .when = "a node of a network with switches", .holds = [](const UnitView& v) {
      return v.layout().context.hardware.switches_ask && v.layout().local_port != RouterLayout::kNoPort;
    }};

}  // namespace hardware

/// The registers of requests between switches and nodes, for protocols whose units are BreakingUnits.
inline constexpr RegisterEntry<UnitView> kRequestRegisters[] = {
    {.name = "requests",
     .storage = Storage::object,
     .greatest = [](const UnitView&) -> std::uint64_t { return 0xffffffff; },
     .read =
         [](const UnitView& v) { return RegisterValue(hardware::break_unit(v).request_sender().waiting()); },
     .purpose = "Requests that the switch has not handed over.",
     .present = hardware::kInSwitches},
    {.name = "request.taker",
     .form = RegisterForm::port,
     .storage = Storage::object,
     .read =
         [](const UnitView& v) {
           const std::optional<unsigned> port = hardware::break_unit(v).request_sender().taker();
           return port ? RegisterValue(*port) : RegisterValue();
         },
     .purpose = "Port over which the first request is being sent.",
     .present = hardware::kInSwitches},
    {.name = "request.last_taker",
     .form = RegisterForm::port,
     .storage = Storage::object,
     .read =
         [](const UnitView& v) {
           return RegisterValue(hardware::break_unit(v).request_sender().last_taker());
         },
     .purpose = "Port that took the last request: the next one goes to the next port in turn.",
     .present = hardware::kInSwitches},
    {.name = "request.words",
     .storage = Storage::object,
     .greatest = [](const UnitView&) -> std::uint64_t { return kRequestWords; },
     .read =
         [](const UnitView& v) {
           return RegisterValue(hardware::break_unit(v).request_sender().words_sent());
         },
     .purpose = "Words of the first request that have been sent.",
     .present = hardware::kInSwitches},
    {.name = "requests_arriving",
     .storage = Storage::object,
     .greatest = [](const UnitView& v) -> std::uint64_t {
       return low_bits(static_cast<unsigned>(v.layout().ports));
     },
     .read =
         [](const UnitView& v) {
           return RegisterValue(hardware::break_unit(v).request_receiver().arriving());
         },
     .purpose = "Ports at which a switch is handing over a request, one bit each.",
     .present = hardware::kInNodes},
};

}  // namespace flitmend
