// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "exploration/sweeps/plan.h"
#include "testbench/configuration/unused_keys.h"

namespace flitmend {

/// Keys of the sweep and of its base that have no effect at any of its points, as far as they are looked at:
/// one for every value of every axis (of up to 1000), and 500 combinations of the axes, evenly spread. Seeds
/// do not matter.
std::vector<UnusedKey> unused_keys(const SweepPlan&);

}  // namespace flitmend
