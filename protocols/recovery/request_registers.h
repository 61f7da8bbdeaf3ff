// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <type_traits>

#include "protocols/recovery/break_unit.h"
#include "rtl_tlm/registers/unit_registers.h"

namespace flitmend {

/// The registers of requests between switches and nodes, in the recovery units of a protocol. `Unit` is a
/// BreakUnit, or has one: break_unit().
template <class Unit>
struct RequestRegisters {
  static const BreakUnit& of(const UnitView& v) {
    if constexpr (std::is_same_v<Unit, BreakUnit>)
      return v.unit<BreakUnit>();
    else
      return v.unit<Unit>().break_unit();
  }
  static constexpr Condition<UnitView> kInSwitches{.when = "a switch", .holds = [](const UnitView& v) {
                                                     return v.layout().context.hardware.switches_ask &&
                                                            v.layout().local_port == RouterLayout::kNoPort;
                                                   }};
  static constexpr Condition<UnitView> kInNodes{
      .when = "a node of a network with switches", .holds = [](const UnitView& v) {
        return v.layout().context.hardware.switches_ask && v.layout().local_port != RouterLayout::kNoPort;
      }};
  static constexpr RegisterEntry<UnitView> kEntries[] = {
      {.name = "requests",
       .storage = Storage::object,
       .greatest = [](const UnitView&) -> std::uint64_t { return 0xffffffff; },
       .read = [](const UnitView& v) { return RegisterValue(of(v).request_sender().waiting()); },
       .purpose = "Requests that the switch has not handed over.",
       .present = kInSwitches},
      {.name = "request.taker",
       .form = RegisterForm::port,
       .storage = Storage::object,
       .read =
           [](const UnitView& v) {
             const std::optional<unsigned> port = of(v).request_sender().taker();
             return port ? RegisterValue(*port) : RegisterValue();
           },
       .purpose = "Port over which the first request is being sent.",
       .present = kInSwitches},
      {.name = "request.last_taker",
       .form = RegisterForm::port,
       .storage = Storage::object,
       .read = [](const UnitView& v) { return RegisterValue(of(v).request_sender().last_taker()); },
       .purpose = "Port that took the last request: the next one goes to the next port in turn.",
       .present = kInSwitches},
      {.name = "request.words",
       .storage = Storage::object,
       .greatest = [](const UnitView&) -> std::uint64_t { return kRequestWords; },
       .read = [](const UnitView& v) { return RegisterValue(of(v).request_sender().words_sent()); },
       .purpose = "Words of the first request that have been sent.",
       .present = kInSwitches},
      {.name = "requests_arriving",
       .storage = Storage::object,
       .greatest = [](const UnitView& v) -> std::uint64_t {
         return low_bits(static_cast<unsigned>(v.layout().ports));
       },
       .read = [](const UnitView& v) { return RegisterValue(of(v).request_receiver().arriving()); },
       .purpose = "Ports at which a switch is handing over a request, one bit each.",
       .present = kInNodes},
  };
};

}  // namespace flitmend
