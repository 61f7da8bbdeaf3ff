// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/options.h"

namespace flitmend {

/// routing.reconfiguration: when routers begin to route by a new set of faults. An option of the algorithms
/// that order channels in another way for every set, so that messages routed by two sets could block each
/// other. All other algorithms keep one order whatever the faults are.
extern const OptionKey kReconfigurationOption;

/// Whether the network drains before routers route by a new set of faults.
bool drains_first(const OptionValues&);

}  // namespace flitmend
