// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "rtl_tlm/registers/register_map.h"

namespace flitmend {

/// As an entry of kInputVcRegisters it is in waves as router_3_4.east.vc1.full.
inline constexpr RegisterEntry<VirtualChannel> kFullRegister = {
    .name = "full",
    .form = RegisterForm::bit,
    .read =
        [](const VirtualChannel& v) { return RegisterValue(v.input_buffer() == v.layout().input_buffer); },
    .purpose = "The input buffer has no room.",
};

}  // namespace flitmend
