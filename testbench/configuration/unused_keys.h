// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Which keys of section recovery the user set to another value than the default although recovery.protocol
/// does not read them, with the place of the first; empty if none. Not an error: the points of a sweep over
/// protocols share such keys.
std::string unused_recovery_keys_note(const Configuration&);

}  // namespace flitmend
