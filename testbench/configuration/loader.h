// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Reads a configuration file, puts the options `--set KEY=VALUE` over it, and settles what follows: an
/// explicit key goes before a need of the routing, that before the router's preset, that before the default.
/// Throws ConfigurationError: everything that is wrong with the keys together, a line each
/// ("file:line:column: key.path: what is wrong and what would be right"), else the first combination that is
/// impossible.
Configuration load_configuration(const std::filesystem::path&, const std::vector<std::string>& sets);

/// The same of a text; `name` is what messages call it.
Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets);

}  // namespace flitmend
