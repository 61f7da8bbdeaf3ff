// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/configuration/configuration.h"

namespace flitmend {

/// The effective configuration as YAML: every key with its value, units as comments. Reading it gives the
/// same configuration.
std::string to_yaml(Configuration);

}  // namespace flitmend
