// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace flitmend {

/// docs/reference.md: every configuration key with default, unit, range and meaning, and everything that a
/// configuration can name, from the declarations that the program itself uses.
std::string configuration_reference();

}  // namespace flitmend
