// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "protocols/routing/selection/registry.h"

namespace flitmend {

/// What every selection function must hold to, whatever it is: every_selection.cpp tests it on the examples
/// of every registered topology. A test program instantiates this suite for its entries; it links
/// support/allocation_counter.cpp.
class EverySelection : public testing::TestWithParam<SelectionEntry> {};

}  // namespace flitmend
