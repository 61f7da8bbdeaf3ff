// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// docs/reference.md: every key of a configuration with default, unit, range and meaning, everything that a
/// configuration can name, and the keys of sweeps, studies and campaigns, from the declarations that the
/// program itself uses.
std::string configuration_reference();

/// docs/hardware.md: the register map of routers, channels and network interfaces, with the width of every
/// register in each preset, from the maps that the program itself reads.
std::string hardware_reference();

/// Every routing algorithm on every topology: virtual channels, guarantee and reference, as a Markdown table
/// for docs/routing.md.
std::string routing_table_page();

}  // namespace flitmend
