// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Fills in values that follow from other keys (the topology's size, what the routing algorithm needs of the
/// router) and refuses impossible combinations. Throws ConfigurationError with the place of the offending
/// key.
void settle(Configuration&);

}  // namespace flitmend
