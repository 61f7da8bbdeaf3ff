// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "rtl_tlm/mechanisms/circuits/circuit_registers.h"
#include "rtl_tlm/node/interface_registers.h"

namespace flitmend::hardware {

/// Registers of a virtual channel of an injector.
inline constexpr auto kCircuitInjectorVcRegisters = std::to_array<RegisterEntry<InterfacePart>>({
    {.name = "circuit",
     .form = RegisterForm::bit,
     .storage = Storage::object,
     .read = [](const InterfacePart& i) { return RegisterValue(i.injector().path(i.vc()) != kNoMessage); },
     .purpose = "A circuit starts here that has not been acknowledged or killed.",
     .present = with_circuits<InterfacePart>},
});

}  // namespace flitmend::hardware
