// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testbench/configuration/configuration.h"

namespace flitmend {

/// Fills in what follows from other keys (the topology's size, what the routing needs of the router) and
/// refuses combinations that are impossible. Throws ConfigurationError with the place of the key at fault.
void settle(Configuration&);

}  // namespace flitmend
