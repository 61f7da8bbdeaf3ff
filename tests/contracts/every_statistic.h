// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "contracts/entry.h"
#include "testbench/statistics/optional_statistic.h"

namespace flitmend {

/// What every optional statistic must hold to, whatever it is: every_statistic.cpp tests it. A test program
/// instantiates this suite for its entries; it links support/allocation_counter.cpp.
class EveryStatistic : public testing::TestWithParam<StatisticEntry> {};

}  // namespace flitmend
