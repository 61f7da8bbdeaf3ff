// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// docs/hardware.md: the register map of routers, channels and network interfaces, with the width of every
/// register in each preset, from the maps that the program itself reads.
std::string hardware_reference();

}  // namespace flitmend
