// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/table.h"
#include "protocols/recovery/registry.h"

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

/// Every recovery protocol by what it needs and does: Tables 2 and 3 of [SBRP] as published, the same as
/// built, with differences marked, and what the hardware of each takes. The first column names the rows.
std::vector<Table> recovery_comparison();

/// What the marks in these tables mean.
extern const char* const kComparisonNote;

/// The same tables in Markdown, for docs/recovery.md.
std::string recovery_comparison_page();

/// The same of one protocol, for programs.
nlohmann::ordered_json recovery_details(const RecoveryEntry&);

}  // namespace flitmend
