// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "testbench/traffic/length.h"

namespace flitmend {

/// What every length distribution must hold to, whatever it is: every_length_distribution.cpp tests it. A
/// test program instantiates this suite for its entries.
class EveryLengthDistribution : public testing::TestWithParam<LengthEntry> {};

}  // namespace flitmend
