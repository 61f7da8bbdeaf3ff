// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "testbench/traffic/pattern.h"

namespace flitmend {

/// What every traffic pattern must hold to, whatever it is: every_pattern.cpp tests it on the examples of
/// every registered topology. A test program instantiates this suite for its entries.
class EveryPattern : public testing::TestWithParam<PatternEntry> {};

}  // namespace flitmend
